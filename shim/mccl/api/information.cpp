// Questions to communicators, version and error texts.
#include "mccl/api/entry.h"
#include "mccl/core/log.h"
#include "support/per_thread.h"

using namespace musashim::mccl;

namespace {

// What does not change once the ranks have met.
mcclResult_t tell(mcclComm_t comm, const char* call, int (Member::*question)() const, int* answer,
                  const char* name) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, call, member));
  MCCL_RETURN_IF_ERROR(checkNotNull(answer, call, name));
  *answer = ((*member).*question)();
  return mcclSuccess;
}

}  // namespace

MCCL_API(mcclResult_t, mcclCommGetAsyncError, (mcclComm_t comm, mcclResult_t* asyncError)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommGetAsyncError", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(asyncError, "CommGetAsyncError", "asyncError"));
  *asyncError = member->progress();
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommCount, (const mcclComm_t comm, int* count)) {
  return tell(comm, "CommCount", &Member::ranks, count, "count");
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommMuDevice, (const mcclComm_t comm, int* device)) {
  return tell(comm, "CommMuDevice", &Member::device, device, "device");
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommUserRank, (const mcclComm_t comm, int* rank)) {
  return tell(comm, "CommUserRank", &Member::rank, rank, "rank");
}
MCCL_END

MCCL_API(mcclResult_t, mcclGetVersion, (int* version)) {
  MCCL_RETURN_IF_ERROR(checkNotNull(version, "GetVersion", "version"));
  *version = MCCL_VERSION_CODE;
  return mcclSuccess;
}
MCCL_END

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
MCCL_END_WITH("")

// As NCCL's: the last error of the process, whatever the communicator.
MCCL_API(const char*, mcclGetLastError, (mcclComm_t)) {
  struct LastText {  // valid until the thread's next call
    std::string text;
  };
  std::string& text = musashim::support::PerThread<LastText>::get().text;
  text = lastError();
  return text.c_str();
}
MCCL_END_WITH("")

// Deprecated, and without effect: the environment is read once.
MCCL_API(void, mcclResetDebugInit, (void)) {}
MCCL_END_WITH()
