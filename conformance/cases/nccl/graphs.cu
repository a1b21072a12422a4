// Collectives in graphs: one of each rank, and one that holds the work of both devices.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.graphs");

static void sumOnBoth(const Ranks& ranks, const Fleet<int>& data) {
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(
        ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r)));
  }
  SETUP_NCCL(ncclGroupEnd());
}

static cudaGraphExec_t programOf(cudaGraph_t graph) {
  cudaGraphExec_t program = nullptr;
  SETUP(cudaGraphInstantiateWithFlags(&program, graph, 0));
  SETUP(cudaGraphDestroy(graph));
  return program;
}

int main() {
  Ranks ranks(2);
  Fleet<int> data(2, [](int rank) { return std::vector<double>{1.0 + rank}; });
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP(cudaStreamBeginCapture(ranks.stream(r), cudaStreamCaptureModeThreadLocal));
  }
  sumOnBoth(ranks, data);
  sumOnBoth(ranks, data);
  cudaGraph_t graphs[2] = {};
  for (int r = 0; r < 2; ++r) SETUP(cudaStreamEndCapture(ranks.stream(r), &graphs[r]));
  cudaGraphExec_t each[2];
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    each[r] = programOf(graphs[r]);
  }
  OBSERVE("before", data.content());
  for (int launch = 0; launch < 3; ++launch) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      OBSERVE("launch_" + std::to_string(launch) + std::to_string(r),
              cudaGraphLaunch(each[r], ranks.stream(r)));
    }
  }
  ranks.synchronize();
  OBSERVE("after_three", data.content());
  sumOnBoth(ranks, data);
  ranks.synchronize();
  OBSERVE("after_a_call", data.content());

  cudaEvent_t begun, ended;
  SETUP(cudaSetDevice(0));
  SETUP(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
  SETUP(cudaStreamBeginCapture(ranks.stream(0), cudaStreamCaptureModeThreadLocal));
  SETUP(cudaEventRecord(begun, ranks.stream(0)));
  SETUP(cudaSetDevice(1));
  SETUP(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
  SETUP(cudaStreamWaitEvent(ranks.stream(1), begun, 0));
  sumOnBoth(ranks, data);
  SETUP(cudaEventRecord(ended, ranks.stream(1)));
  SETUP(cudaSetDevice(0));
  SETUP(cudaStreamWaitEvent(ranks.stream(0), ended, 0));
  cudaGraph_t graph = nullptr;
  SETUP(cudaStreamEndCapture(ranks.stream(0), &graph));
  const cudaGraphExec_t both = programOf(graph);
  for (int launch = 0; launch < 2; ++launch) {
    OBSERVE("launch_of_both_" + std::to_string(launch), cudaGraphLaunch(both, ranks.stream(0)));
  }
  ranks.synchronize();
  OBSERVE("after_both", data.content());
  SETUP(cudaGraphExecDestroy(both));
  for (int r = 0; r < 2; ++r) SETUP(cudaGraphExecDestroy(each[r]));
}
