#include "mccl/group/group.h"

#include "core/trace.h"
#include "mccl/api/entry.h"
#include "mccl/core/log.h"

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclGroupStart, (void)) {
  Group::current().start();
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclGroupEnd, (void)) {
  musashim::core::RecordedCall recorded("mccl", "GroupEnd");
  const mcclResult_t result = Group::current().end();
  recorded.end(result);
  return result;
}
MCCL_END

MCCL_API(mcclResult_t, mcclGroupSimulateEnd, (mcclSimInfo_t * simInfo)) {
  constexpr unsigned kMagic = 0x74685283;
  if (simInfo && (simInfo->magic != kMagic || simInfo->size < sizeof(mcclSimInfo_t))) {
    return fail(mcclInvalidArgument, "mcclSimInfo_t argument not initialized via MCCL_SIM_INFO_INITIALIZER");
  }
  float estimated = MCCL_UNDEF_FLOAT;
  MCCL_RETURN_IF_ERROR(Group::current().simulateEnd(estimated));
  if (simInfo) simInfo->estimatedTime = estimated;
  return mcclSuccess;
}
MCCL_END
