// The end of communicators, and questions to them.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.lifecycle");

int main() {
  ncclComm_t comms[2] = {};
  SETUP_NCCL(ncclCommInitAll(comms, 2, nullptr));
  int value = -1;
  for (int r = 0; r < 2; ++r) {
    const std::string name = std::to_string(r);
    OBSERVE("device_call_" + name, ncclCommCuDevice(comms[r], &value));
    OBSERVE("device_" + name, value);
    ncclResult_t state = ncclInternalError;
    OBSERVE("state_call_" + name, ncclCommGetAsyncError(comms[r], &state));
    OBSERVE("state_" + name, state);
  }
  OBSERVE("state_of_null", ncclCommGetAsyncError(nullptr, nullptr));
  OBSERVE("state_without_result", ncclCommGetAsyncError(comms[0], nullptr));
  OBSERVE("device_without_result", ncclCommCuDevice(comms[0], nullptr));
  OBSERVE("rank_without_result", ncclCommUserRank(comms[0], nullptr));
  OBSERVE("finalize_null", ncclCommFinalize(nullptr));
  OBSERVE("abort_null", ncclCommAbort(nullptr));
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) SETUP_NCCL(ncclCommFinalize(comms[r]));
  OBSERVE("finalize", ncclGroupEnd());
  OBSERVE("finalize_twice", ncclCommFinalize(comms[0]));
  for (int r = 0; r < 2; ++r) OBSERVE("destroy_" + std::to_string(r), ncclCommDestroy(comms[r]));

  ncclComm_t others[2] = {};
  SETUP_NCCL(ncclCommInitAll(others, 2, nullptr));
  OBSERVE("abort_0", ncclCommAbort(others[0]));
  OBSERVE("abort_1", ncclCommAbort(others[1]));
  OBSERVE("words_unhandled", std::string(ncclGetErrorString(ncclUnhandledCudaError)).size() > 0);
  OBSERVE("words_remote", ncclGetErrorString(ncclRemoteError));
  OBSERVE("words_unknown", ncclGetErrorString(static_cast<ncclResult_t>(99)));
}
