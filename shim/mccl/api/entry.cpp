#include "mccl/api/entry.h"

#include "mccl/comm/registry.h"
#include "mccl/core/data_type.h"
#include "mccl/core/log.h"

namespace musashim::mccl {

mcclResult_t checkNotNull(const void* pointer, const char* function, const char* name) {
  if (pointer) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : {} argument is NULL", function, name);
}

mcclResult_t lookUp(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member) {
  MCCL_RETURN_IF_ERROR(checkNotNull(comm, function, "comm"));
  member = findComm(comm);
  if (member) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : corrupted comm object detected, or it has already been destroyed",
              function);
}

namespace {

mcclResult_t notReady(mcclResult_t result, const char* function) {
  return fail(result, "{} : Attempt to use communicator before the previous operation returned mcclSuccess",
              function);
}

}  // namespace

mcclResult_t lookUpSettled(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member) {
  MCCL_RETURN_IF_ERROR(lookUp(comm, function, member));
  if (member->revoked()) return fail(mcclInvalidUsage, "{} : the communicator was revoked", function);
  const mcclResult_t state = member->progress();
  if (state == mcclSuccess) return mcclSuccess;
  // Not ready is the caller's mistake; an asynchronous error is the result itself.
  return notReady(state == mcclInProgress ? mcclInvalidArgument : state, function);
}

mcclResult_t lookUpReady(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member) {
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, function, member));
  return member->finalized() ? notReady(mcclInvalidArgument, function) : mcclSuccess;
}

mcclResult_t checkRoot(int root, int ranks, const char* function) {
  if (root >= 0 && root < ranks) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : invalid root {} (root should be in the 0..{} range)", function, root,
              ranks);
}

mcclResult_t checkDataType(mcclDataType_t type, const char* function) {
  if (isDataType(static_cast<int>(type))) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : invalid type {}", function, static_cast<int>(type));
}

}  // namespace musashim::mccl
