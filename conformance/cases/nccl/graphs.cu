// Collectives recorded in graphs, one per device, and launched again and again.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.graphs");

int main() {
  Ranks ranks(2);
  Fleet<int> data(2, [](int rank) { return std::vector<double>{1.0 + rank, 10}; });
  cudaGraph_t graphs[2];
  cudaGraphExec_t programs[2];
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP(cudaStreamBeginCapture(ranks.stream(r), cudaStreamCaptureModeThreadLocal));
  }
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(
        ncclAllReduce(data.data(r), data.data(r), 2, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r)));
  }
  OBSERVE("captured", ncclGroupEnd());
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("end_" + std::to_string(r), cudaStreamEndCapture(ranks.stream(r), &graphs[r]));
    SETUP(cudaGraphInstantiate(&programs[r], graphs[r], 0));
  }
  OBSERVE("not_run_yet", data.content());
  for (int round = 1; round <= 3; ++round) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaGraphLaunch(programs[r], ranks.stream(r)));
    }
    ranks.synchronize();
    OBSERVE("launch_" + std::to_string(round), data.content());
  }
  // Work outside the graphs goes on as before.
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(data.data(r), data.data(r), 2, ncclInt32, ncclMax, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("outside", data.content());
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP(cudaGraphExecDestroy(programs[r]));
    SETUP(cudaGraphDestroy(graphs[r]));
  }
}
