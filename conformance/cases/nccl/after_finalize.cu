// What a finalized communicator still answers.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.after_finalize");

int main() {
  ncclComm_t comms[2] = {};
  SETUP_NCCL(ncclCommInitAll(comms, 2, nullptr));
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) SETUP_NCCL(ncclCommFinalize(comms[r]));
  SETUP_NCCL(ncclGroupEnd());
  int value = -1;
  OBSERVE("count_call", ncclCommCount(comms[0], &value));
  OBSERVE("count", value);
  OBSERVE("rank_call", ncclCommUserRank(comms[1], &value));
  OBSERVE("rank", value);
  OBSERVE("device_call", ncclCommCuDevice(comms[1], &value));
  OBSERVE("device", value);
  ncclResult_t state = ncclInternalError;
  OBSERVE("state_call", ncclCommGetAsyncError(comms[0], &state));
  OBSERVE("state", state);
  for (int r = 0; r < 2; ++r) OBSERVE("destroy_" + std::to_string(r), ncclCommDestroy(comms[r]));
}
