// links: driver
// Capture through the driver: modes, state, and which calls become nodes.
#include <vector>

#include "../../framework/graphs.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("capture.driver_capture");

namespace {

void add(void* sum) { *static_cast<int*>(sum) += 5; }

size_t nodesOf(CUgraph graph) {
  size_t count = 0;
  SETUP(cuGraphGetNodes(graph, nullptr, &count));
  return count;
}

}  // namespace

int main() {
  useFirstDevice();
  DeviceArray<int> numbers(4), others(4);
  const CUdeviceptr place = reinterpret_cast<CUdeviceptr>(numbers.data());
  const CUdeviceptr other = reinterpret_cast<CUdeviceptr>(others.data());
  CUstream stream = nullptr, second = nullptr;
  SETUP(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SETUP(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  OBSERVE("is_capturing", cuStreamIsCapturing(stream, &status));
  OBSERVE("status", static_cast<int>(status));
  OBSERVE("is_capturing_null", cuStreamIsCapturing(stream, nullptr));
  OBSERVE("is_capturing_null_stream", cuStreamIsCapturing(nullptr, &status));
  CUgraph graph = nullptr;
  OBSERVE("end_without_begin", cuStreamEndCapture(stream, &graph));
  OBSERVE("begin_unknown_mode", cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(9)));
  OBSERVE("begin_null_stream", cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  OBSERVE("exchange_mode", cuThreadExchangeStreamCaptureMode(&mode));
  OBSERVE("mode_before", static_cast<int>(mode));
  SETUP(cuThreadExchangeStreamCaptureMode(&mode));
  mode = static_cast<CUstreamCaptureMode>(9);
  OBSERVE("exchange_unknown", cuThreadExchangeStreamCaptureMode(&mode));

  OBSERVE("begin", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OBSERVE("begin_again", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  SETUP(cuStreamIsCapturing(stream, &status));
  OBSERVE("status_capturing", static_cast<int>(status));

  // Each of these becomes a node, or says why not.
  int sum = 0, four[4] = {1, 2, 3, 4}, factor = 2, value = 1;
  int* target = numbers.data();
  void* arguments[] = {&target, &factor, &value};
  CUevent event = nullptr;
  SETUP(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OBSERVE("memset", cuMemsetD32Async(place, 5, 4, stream));
  OBSERVE("memset_2d", cuMemsetD2D8Async(other, 8, 1, 4, 2, stream));
  OBSERVE("copy_device", cuMemcpyDtoDAsync(other, place, 16, stream));
  OBSERVE("copy_from_pageable", cuMemcpyHtoDAsync(other, four, 16, stream));
  OBSERVE("copy_to_pageable", cuMemcpyDtoHAsync(four, place, 16, stream));
  OBSERVE("copy_any", cuMemcpyAsync(other, place, 8, stream));
  OBSERVE("launch",
          cuLaunchKernel(driverFunction(timesPlus), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  OBSERVE("host", cuLaunchHostFunc(stream, add, &sum));
  OBSERVE("record", cuEventRecord(event, stream));
  OBSERVE("fork", cuStreamWaitEvent(second, event, 0));
  SETUP(cuStreamIsCapturing(second, &status));
  OBSERVE("status_forked", static_cast<int>(status));
  OBSERVE("memset_forked", cuMemsetD8Async(other, 1, 1, second));
  CUevent joins = nullptr;
  SETUP(cuEventCreate(&joins, CU_EVENT_DISABLE_TIMING));
  OBSERVE("record_forked", cuEventRecord(joins, second));
  OBSERVE("join", cuStreamWaitEvent(stream, joins, 0));
  OBSERVE("query_captured_event", cuEventQuery(event));
  OBSERVE("record_external", cuEventRecordWithFlags(joins, stream, CU_EVENT_RECORD_EXTERNAL));
  OBSERVE("end_other_stream", cuStreamEndCapture(second, &graph));
  SETUP(cuStreamIsCapturing(stream, &status));
  OBSERVE("status_before_end", static_cast<int>(status));
  OBSERVE("end", cuStreamEndCapture(stream, &graph));
  OBSERVE("has_graph", graph != nullptr);
  if (graph) OBSERVE("nodes", nodesOf(graph));

  // What ends a capture badly.
  SETUP(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OBSERVE("query_capturing", cuStreamQuery(stream));
  SETUP(cuStreamIsCapturing(stream, &status));
  OBSERVE("status_after_query", static_cast<int>(status));
  OBSERVE("end_after_query", cuStreamEndCapture(stream, &graph));
  OBSERVE("graph_after_query", graph == nullptr);
  SETUP(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OBSERVE("synchronise_capturing", cuStreamSynchronize(stream));
  OBSERVE("launch_invalidated", cuMemsetD8Async(place, 1, 1, stream));
  OBSERVE("end_after_synchronise", cuStreamEndCapture(stream, &graph));
  SETUP(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OBSERVE("end_null", cuStreamEndCapture(stream, nullptr));
  SETUP(cuStreamIsCapturing(stream, &status));
  OBSERVE("status_after_end_null", static_cast<int>(status));
  cuStreamEndCapture(stream, &graph);

  // Into a graph that is there.
  CUgraph given = nullptr;
  SETUP(cuGraphCreate(&given, 0));
  CUgraphNode empty = nullptr;
  SETUP(cuGraphAddEmptyNode(&empty, given, nullptr, 0));
  OBSERVE("begin_to_null", cuStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                                       CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OBSERVE("begin_to_graph", cuStreamBeginCaptureToGraph(stream, given, &empty, nullptr, 1,
                                                        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  SETUP(cuMemsetD8Async(place, 3, 16, stream));
  OBSERVE("end_to_graph", cuStreamEndCapture(stream, &graph));
  OBSERVE("same_graph", graph == given);
  OBSERVE("nodes_in_it", nodesOf(given));
  size_t count = 0;
  SETUP(cuGraphGetRootNodes(given, nullptr, &count));
  OBSERVE("roots_in_it", count);
  OBSERVE("last", cuCtxSynchronize());
}
