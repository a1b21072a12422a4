// Captures, graphs, user objects.
#include "worker.h"

namespace musashim::stress {

using test::kernels;

void Worker::captureAndLaunch() {
  finishOwnWork();
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  STRESS_MUSA(musaStreamBeginCapture(streams_[0], musaStreamCaptureModeThreadLocal));
  STRESS_MUSA(test::launch(kernels.addOne, 1, 1, 0, streams_[0], buffer_, kValues, 1));
  STRESS_MUSA(musaEventRecord(event_, streams_[0]));
  STRESS_MUSA(musaStreamWaitEvent(streams_[1], event_, 0));
  STRESS_MUSA(test::launch(kernels.empty, 1, 1, 0, streams_[1]));
  STRESS_MUSA(test::launch(kernels.addOne, 1, 1, 0, streams_[0], buffer_, kValues, 2));
  STRESS_MUSA(musaEventRecord(event_, streams_[1]));
  STRESS_MUSA(musaStreamWaitEvent(streams_[0], event_, 0));
  STRESS_MUSA(musaStreamEndCapture(streams_[0], &graph));
  STRESS_MUSA(::musaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) STRESS_MUSA(musaGraphLaunch(exec, streams_[1]));
  value_ += 6;
  musaGraphExecUpdateResultInfo result;
  STRESS_MUSA(musaGraphExecUpdate(exec, graph, &result));
  STRESS_MUSA(musaGraphLaunch(exec, streams_[1]));
  value_ += 3;
  STRESS_MUSA(musaGraphDestroy(graph));
  STRESS_MUSA(musaGraphExecDestroy(exec));  // what was launched goes on
  STRESS_MUSA(musaStreamSynchronize(streams_[1]));
  // The event is one of a capture until it is recorded again.
  STRESS_MUSA(musaEventRecord(event_, streams_[0]));
  checkBuffer();
}

void Worker::buildGraph() {
  musaGraph_t graph = nullptr, clone = nullptr;
  STRESS_MUSA(musaGraphCreate(&graph, 0));
  musaGraphNode_t empty = nullptr, memset = nullptr, host = nullptr;
  STRESS_MUSA(musaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  musaMemsetParams fill = {};
  fill.dst = buffer_;
  fill.elementSize = 4;
  fill.width = kValues;
  fill.height = 1;
  fill.value = 17;
  STRESS_MUSA(musaGraphAddMemsetNode(&memset, graph, &empty, 1, &fill));
  std::atomic<int> calls{0};
  musaHostNodeParams call = {[](void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }, &calls};
  STRESS_MUSA(musaGraphAddHostNode(&host, graph, &memset, 1, &call));
  STRESS_MUSA(musaGraphClone(&clone, graph));
  STRESS_MUSA(musaGraphDestroy(graph));
  finishOwnWork();
  musaGraphExec_t exec = nullptr;
  STRESS_MUSA(::musaGraphInstantiate(&exec, clone, 0));
  STRESS_MUSA(musaGraphLaunch(exec, streams_[0]));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(calls == 1);
  value_ = 17;
  STRESS_MUSA(musaGraphExecDestroy(exec));
  STRESS_MUSA(musaGraphDestroy(clone));
  checkBuffer();
}

void Worker::launchSharedGraph() { STRESS_MUSA(musaGraphLaunch(shared().graph, anyOwnStream())); }

void Worker::useUserObjects() {
  std::atomic<int> ended{0};
  musaUserObject_t object = nullptr;
  STRESS_MUSA(::musaUserObjectCreate(
      &object, &ended, [](void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }, 1,
      musaUserObjectNoDestructorSync));
  musaGraph_t graph = nullptr;
  STRESS_MUSA(musaGraphCreate(&graph, 0));
  STRESS_MUSA(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
  STRESS_MUSA(musaGraphDestroy(graph));
  while (ended == 0) musaStreamQuery(streams_[0]);  // at some time after the graph's end
}

}  // namespace musashim::stress
