#include <cstring>

#include "mccl/api/entry.h"
#include "mccl/core/data_type.h"
#include "mccl/core/log.h"

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclRedOpCreatePreMulSum,
         (mcclRedOp_t * op, void* scalar, mcclDataType_t datatype, mcclScalarResidence_t residence,
          mcclComm_t comm)) {
  constexpr const char* kName = "RedOpCreatePreMulSum";
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, kName, member));
  MCCL_RETURN_IF_ERROR(checkNotNull(op, kName, "op"));
  MCCL_RETURN_IF_ERROR(checkNotNull(scalar, kName, "scalar"));
  MCCL_RETURN_IF_ERROR(checkDataType(datatype, kName));
  UserReduction reduction{datatype, 0, nullptr};
  switch (residence) {
    case mcclScalarHostImmediate:
      std::memcpy(&reduction.factor, scalar, elementSize(datatype));
      break;
    case mcclScalarDevice:
      reduction.deviceFactor = scalar;
      break;
    default:
      return fail(mcclInvalidArgument, "{} : invalid residence {}", kName, static_cast<int>(residence));
  }
  *op = member->reductions().add(reduction);
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclRedOpDestroy, (mcclRedOp_t op, mcclComm_t comm)) {
  constexpr const char* kName = "RedOpDestroy";
  if (op >= 0 && op < mcclNumOps) {
    return fail(mcclInvalidArgument, "{} : operator is a MCCL builtin.", kName);
  }
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, kName, member));
  if (member->reductions().remove(op)) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : operator unknown to this communicator.", kName);
}
MCCL_END
