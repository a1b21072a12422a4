// Other streams join a capture by events, and must come back.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.fork_join");

int main() {
  DeviceArray<int> a(1);
  DeviceArray<int> b(1);
  cudaStream_t origin;
  cudaStream_t fork;
  cudaStream_t third;
  cudaEvent_t begin;
  cudaEvent_t end;
  SETUP(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&fork, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  SETUP(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
  SETUP(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status;
  size_t edges = 0;

  SETUP(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, origin>>>(a.data(), 0, 1);
  SETUP(cudaEventRecord(begin, origin));
  OBSERVE("fork", cudaStreamWaitEvent(fork, begin, 0));
  SETUP(cudaStreamIsCapturing(fork, &status));
  OBSERVE("fork_status", static_cast<int>(status));
  timesPlus<<<1, 1, 0, fork>>>(b.data(), 0, 2);
  timesPlus<<<1, 1, 0, origin>>>(a.data(), 10, 3);
  OBSERVE("end_at_fork", cudaStreamEndCapture(fork, &graph));
  SETUP(cudaStreamIsCapturing(origin, &status));
  OBSERVE("status_after_end_at_fork", static_cast<int>(status));
  cudaGetLastError();
  OBSERVE("record_fork", cudaEventRecord(end, fork));
  OBSERVE("join", cudaStreamWaitEvent(origin, end, 0));
  timesPlus<<<1, 1, 0, origin>>>(b.data(), 10, 4);
  OBSERVE("end", cudaStreamEndCapture(origin, &graph));
  SETUP(cudaStreamIsCapturing(fork, &status));
  OBSERVE("fork_status_after", static_cast<int>(status));
  if (graph != nullptr) {
    OBSERVE("nodes", nodeCount(graph));
    SETUP(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    OBSERVE("edges", edges);
    cudaGraphExec_t exec = instantiated(graph);
    OBSERVE("run", runGraph(exec, third));
    OBSERVE("a", readBack(a)[0]);
    OBSERVE("b", readBack(b)[0]);
  }

  // Never joined.
  SETUP(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  SETUP(cudaEventRecord(begin, origin));
  SETUP(cudaStreamWaitEvent(fork, begin, 0));
  timesPlus<<<1, 1, 0, fork>>>(b.data(), 10, 1);
  OBSERVE("end_unjoined", cudaStreamEndCapture(origin, &graph));
  OBSERVE("unjoined_graph", graph != nullptr);
  SETUP(cudaStreamIsCapturing(fork, &status));
  OBSERVE("fork_status_unjoined", static_cast<int>(status));
  cudaGetLastError();

  // Forked without any work.
  SETUP(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, origin>>>(a.data(), 0, 1);
  SETUP(cudaEventRecord(begin, origin));
  SETUP(cudaStreamWaitEvent(fork, begin, 0));
  OBSERVE("end_idle_fork", cudaStreamEndCapture(origin, &graph));
  cudaGetLastError();

  // Joined too early: work came after the record.
  SETUP(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  SETUP(cudaEventRecord(begin, origin));
  SETUP(cudaStreamWaitEvent(fork, begin, 0));
  timesPlus<<<1, 1, 0, fork>>>(b.data(), 10, 1);
  SETUP(cudaEventRecord(end, fork));
  timesPlus<<<1, 1, 0, fork>>>(b.data(), 10, 2);
  SETUP(cudaStreamWaitEvent(origin, end, 0));
  OBSERVE("end_joined_too_early", cudaStreamEndCapture(origin, &graph));
  cudaGetLastError();

  // A chain of three streams.
  SETUP(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, origin>>>(a.data(), 0, 1);
  SETUP(cudaEventRecord(begin, origin));
  SETUP(cudaStreamWaitEvent(fork, begin, 0));
  timesPlus<<<1, 1, 0, fork>>>(a.data(), 10, 2);
  SETUP(cudaEventRecord(begin, fork));
  SETUP(cudaStreamWaitEvent(third, begin, 0));
  timesPlus<<<1, 1, 0, third>>>(a.data(), 10, 3);
  SETUP(cudaEventRecord(end, third));
  SETUP(cudaStreamWaitEvent(origin, end, 0));
  OBSERVE("end_chain", cudaStreamEndCapture(origin, &graph));
  cudaGraphExec_t chain = instantiated(graph);
  OBSERVE("run_chain", runGraph(chain, origin));
  OBSERVE("chain_value", readBack(a)[0]);
}
