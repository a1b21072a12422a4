// Calls of one communicator on two streams, in graphs and not, in one order, while a stream is late.
// requires: devices>=2
// links: nccl
#include <chrono>
#include <thread>

#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.graph_order");

static void CUDART_CB rest(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

struct Two {
  explicit Two(const Ranks& ranks) : ranks(ranks) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking));
    }
  }
  void sum(int rank, const Fleet<int>& data, size_t elements, cudaStream_t stream) const {
    SETUP_NCCL(ncclAllReduce(data.data(rank), data.data(rank), elements, ncclInt32, ncclSum, ranks.comm(rank),
                             stream));
  }
  void synchronize() const {
    ranks.synchronize();
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaStreamSynchronize(streams[r]));
    }
  }

  const Ranks& ranks;
  cudaStream_t streams[2] = {};
};

template <typename Work>
static cudaGraphExec_t graphOf(cudaStream_t stream, Work&& work) {
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  SETUP(cudaStreamEndCapture(stream, &graph));
  SETUP(cudaGraphInstantiateWithFlags(&program, graph, 0));
  SETUP(cudaGraphDestroy(graph));
  return program;
}

int main() {
  Ranks ranks(2);
  Two two(ranks);
  Fleet<int> large(2, [](int rank) { return std::vector<double>(8, 1.0 + rank); });
  Fleet<int> small(2, [](int rank) { return std::vector<double>(3, 4.0 + rank); });
  // A rank's first call waits for the other rank's, which this thread makes.
  Fleet<int> before(2, [](int) { return std::vector<double>(8, 1.0); });
  for (const size_t elements : {8, 3}) {
    SETUP_NCCL(ncclGroupStart());
    for (int r = 0; r < 2; ++r) two.sum(r, before, elements, ranks.stream(r));
    SETUP_NCCL(ncclGroupEnd());
  }
  two.synchronize();
  cudaGraphExec_t first[2], second[2], branches[2];
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    const auto late = [&] {
      if (r == 0) SETUP(cudaLaunchHostFunc(ranks.stream(r), rest, nullptr));
      two.sum(r, large, 8, ranks.stream(r));
    };
    first[r] = graphOf(ranks.stream(r), late);
    second[r] = graphOf(two.streams[r], [&] { two.sum(r, small, 3, two.streams[r]); });
    branches[r] = graphOf(ranks.stream(r), [&] {
      cudaEvent_t begun, ended;
      SETUP(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
      SETUP(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
      SETUP(cudaEventRecord(begun, ranks.stream(r)));
      SETUP(cudaStreamWaitEvent(two.streams[r], begun, 0));
      late();
      two.sum(r, small, 3, two.streams[r]);
      SETUP(cudaEventRecord(ended, two.streams[r]));
      SETUP(cudaStreamWaitEvent(ranks.stream(r), ended, 0));
    });
  }
  for (int launch = 0; launch < 3; ++launch) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaGraphLaunch(first[r], ranks.stream(r)));
    }
    SETUP_NCCL(ncclGroupStart());
    for (int r = 0; r < 2; ++r) two.sum(r, small, 3, two.streams[r]);
    SETUP_NCCL(ncclGroupEnd());
  }
  two.synchronize();
  OBSERVE("graph_and_call_large", large.content());
  OBSERVE("graph_and_call_small", small.content());
  for (int launch = 0; launch < 3; ++launch) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaGraphLaunch(first[r], ranks.stream(r)));
      SETUP(cudaGraphLaunch(second[r], two.streams[r]));
    }
  }
  two.synchronize();
  OBSERVE("two_graphs_large", large.content());
  OBSERVE("two_graphs_small", small.content());
  for (int launch = 0; launch < 3; ++launch) {
    for (int r = 0; r < 2; ++r) {
      SETUP(cudaSetDevice(r));
      SETUP(cudaGraphLaunch(branches[r], ranks.stream(r)));
    }
  }
  two.synchronize();
  OBSERVE("branches_large", large.content());
  OBSERVE("branches_small", small.content());
  for (int r = 0; r < 2; ++r) {
    ncclResult_t state = ncclInternalError;
    SETUP_NCCL(ncclCommGetAsyncError(ranks.comm(r), &state));
    OBSERVE("state_" + std::to_string(r), state);
  }
  // A communicator's end waits for that of its graphs.
  for (int r = 0; r < 2; ++r) {
    for (cudaGraphExec_t program : {first[r], second[r], branches[r]}) SETUP(cudaGraphExecDestroy(program));
  }
}
