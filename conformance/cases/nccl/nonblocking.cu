// Communicators whose calls return before they are done.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.nonblocking");

static ncclResult_t settled(ncclComm_t comm) {
  ncclResult_t state = ncclInProgress;
  while (state == ncclInProgress) SETUP_NCCL(ncclCommGetAsyncError(comm, &state));
  return state;
}

static bool isUnderWay(ncclResult_t result) { return result == ncclSuccess || result == ncclInProgress; }

int main() {
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclComm_t comms[2] = {};
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("init_" + std::to_string(r), isUnderWay(ncclCommInitRankConfig(&comms[r], 2, id, r, &config)));
  }
  OBSERVE("group", isUnderWay(ncclGroupEnd()));
  for (int r = 0; r < 2; ++r) OBSERVE("ready_" + std::to_string(r), settled(comms[r]));
  cudaStream_t streams[2];
  Fleet<int> data(2, [](int rank) { return std::vector<double>{5.0 + rank}; });
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP(cudaStreamCreate(&streams[r]));
  }
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    const ncclResult_t result =
        ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, comms[r], streams[r]);
    OBSERVE("all_reduce_" + std::to_string(r), isUnderWay(result));
  }
  OBSERVE("all_reduce_group", isUnderWay(ncclGroupEnd()));
  for (int r = 0; r < 2; ++r) OBSERVE("queued_" + std::to_string(r), settled(comms[r]));
  for (int r = 0; r < 2; ++r) SETUP(cudaStreamSynchronize(streams[r]));
  OBSERVE("sum", data.content());

  ncclComm_t parts[2] = {};
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    OBSERVE("split_" + std::to_string(r), isUnderWay(ncclCommSplit(comms[r], r, 0, &parts[r], nullptr)));
  }
  OBSERVE("split_group", isUnderWay(ncclGroupEnd()));
  for (int r = 0; r < 2; ++r) {
    OBSERVE("split_parent_" + std::to_string(r), settled(comms[r]));
    OBSERVE("split_child_" + std::to_string(r), settled(parts[r]));
    int count = -1;
    OBSERVE("split_count_call_" + std::to_string(r), ncclCommCount(parts[r], &count));
    OBSERVE("split_count_" + std::to_string(r), count);
  }
  for (int r = 0; r < 2; ++r)
    OBSERVE("finalize_" + std::to_string(r), isUnderWay(ncclCommFinalize(comms[r])));
  for (int r = 0; r < 2; ++r) OBSERVE("finalized_" + std::to_string(r), settled(comms[r]));
  for (int r = 0; r < 2; ++r) OBSERVE("destroy_" + std::to_string(r), ncclCommDestroy(comms[r]));
}
