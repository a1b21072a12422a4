// Questions to communicators, version and error texts.
#include "mccl/api/entry.h"
#include "mccl/core/log.h"

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclCommGetAsyncError, (mcclComm_t comm, mcclResult_t* asyncError)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommGetAsyncError", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(asyncError, "CommGetAsyncError", "asyncError"));
  *asyncError = member->progress();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommCount, (const mcclComm_t comm, int* count)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, "CommCount", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(count, "CommCount", "count"));
  *count = member->ranks();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommMuDevice, (const mcclComm_t comm, int* device)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, "CommMuDevice", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(device, "CommMuDevice", "device"));
  *device = member->device();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommUserRank, (const mcclComm_t comm, int* rank)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, "CommUserRank", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(rank, "CommUserRank", "rank"));
  *rank = member->rank();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclGetVersion, (int* version)) {
  MCCL_RETURN_IF_ERROR(checkNotNull(version, "GetVersion", "version"));
  *version = MCCL_VERSION_CODE;
  return mcclSuccess;
}

MCCL_API(const char*, mcclGetErrorString, (mcclResult_t result)) {
  switch (result) {
    case mcclSuccess:
      return "no error";
    case mcclUnhandledMusaError:
      return "unhandled musa error (run with MCCL_DEBUG=INFO for details)";
    case mcclSystemError:
      return "unhandled system error (run with MCCL_DEBUG=INFO for details)";
    case mcclInternalError:
      return "internal error - please report this issue to the MCCL developers";
    case mcclInvalidArgument:
      return "invalid argument (run with MCCL_DEBUG=WARN for details)";
    case mcclInvalidUsage:
      return "invalid usage (run with MCCL_DEBUG=WARN for details)";
    case mcclRemoteError:
      return "remote process exited or there was a network error";
    case mcclInProgress:
      return "MCCL operation in progress";
    default:
      return "unknown result code";
  }
}

// As NCCL's: the last error of the process, whatever the communicator.
MCCL_API(const char*, mcclGetLastError, (mcclComm_t)) {
  thread_local std::string text;  // valid until the thread's next call
  text = lastError();
  return text.c_str();
}

// Deprecated, and without effect: the environment is read once.
MCCL_API(void, mcclResetDebugInit, (void)) {}
