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

mcclResult_t notReady(const char* function) {
  return fail(mcclInvalidArgument,
              "{} : Attempt to use communicator before the previous operation returned mcclSuccess",
              function);
}

// The result is the asynchronous error itself.
mcclResult_t hasFailed(mcclResult_t result, Member& member, const char* function) {
  if (!member.isReady()) {
    return fail(result, "{} : the initialisation of the communicator has failed; it can only be aborted",
                function);
  }
  const std::string why = member.clique().errorText();
  return fail(
      result,
      "{} : the communicator has failed{}{}; it can only be aborted, or shrunk with MCCL_SHRINK_ABORT",
      function, why.empty() ? "" : ": ", why);
}

}  // namespace

mcclResult_t lookUpSettled(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member) {
  MCCL_RETURN_IF_ERROR(lookUp(comm, function, member));
  if (member->revoked()) return fail(mcclInvalidUsage, "{} : the communicator was revoked", function);
  const mcclResult_t state = member->progress();
  if (state == mcclSuccess) return mcclSuccess;
  return state == mcclInProgress ? notReady(function) : hasFailed(state, *member, function);
}

mcclResult_t lookUpReady(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member) {
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, function, member));
  return member->finalized() ? notReady(function) : mcclSuccess;
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
