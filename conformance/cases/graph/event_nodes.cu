// Nodes that record events and wait for them.
#include "../../framework/gate.h"
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.event_nodes");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t recorded;
  cudaEvent_t awaited;
  SETUP(cudaEventCreate(&recorded));
  SETUP(cudaEventCreateWithFlags(&awaited, cudaEventDisableTiming));

  cudaGraph_t graph = newGraph();
  cudaGraphNode_t record = nullptr;
  cudaGraphNode_t wait = nullptr;
  cudaGraphNode_t bad = nullptr;
  TimesPlus first(value.data(), 0, 1);
  TimesPlus second(value.data(), 10, 2);
  cudaGraphNode_t kernel = first.addTo(graph);
  OBSERVE("add_record", cudaGraphAddEventRecordNode(&record, graph, &kernel, 1, recorded));
  OBSERVE("add_wait", cudaGraphAddEventWaitNode(&wait, graph, &record, 1, awaited));
  second.addTo(graph, {wait});
  OBSERVE("add_record_null", cudaGraphAddEventRecordNode(&bad, graph, nullptr, 0, nullptr));
  OBSERVE("add_wait_null", cudaGraphAddEventWaitNode(&bad, graph, nullptr, 0, nullptr));
  cudaEvent_t got = nullptr;
  OBSERVE("get_record", cudaGraphEventRecordNodeGetEvent(record, &got));
  OBSERVE("get_record_event", got == recorded);
  OBSERVE("get_wait", cudaGraphEventWaitNodeGetEvent(wait, &got));
  OBSERVE("get_wait_event", got == awaited);
  OBSERVE("get_wait_of_record", cudaGraphEventWaitNodeGetEvent(record, &got));
  OBSERVE("get_null", cudaGraphEventRecordNodeGetEvent(record, nullptr));

  cudaGraphExec_t exec = instantiated(graph);
  Gate gate;
  cudaGetLastError();
  gate.block(other);
  SETUP(cudaEventRecord(awaited, other));
  OBSERVE("launch", cudaGraphLaunch(exec, stream));
  OBSERVE("recorded_is_reached", cudaEventSynchronize(recorded));
  OBSERVE("stream_waits", cudaStreamQuery(stream));
  OBSERVE("query_recorded", cudaEventQuery(recorded));
  gate.open();
  OBSERVE("finish", cudaStreamSynchronize(stream));
  OBSERVE("value", readBack(value)[0]);

  cudaEvent_t changed;
  SETUP(cudaEventCreate(&changed));
  OBSERVE("exec_set_record", cudaGraphExecEventRecordNodeSetEvent(exec, record, changed));
  OBSERVE("exec_set_wait", cudaGraphExecEventWaitNodeSetEvent(exec, wait, recorded));
  OBSERVE("exec_set_null", cudaGraphExecEventRecordNodeSetEvent(exec, record, nullptr));
  OBSERVE("set_record", cudaGraphEventRecordNodeSetEvent(record, changed));
  OBSERVE("set_wait", cudaGraphEventWaitNodeSetEvent(wait, changed));
  OBSERVE("run_changed", runGraph(exec, stream));
  float ms = -1.0f;
  OBSERVE("elapsed", cudaEventElapsedTime(&ms, recorded, changed));
  OBSERVE("elapsed_positive", ms > 0.0f);
  cudaGetLastError();
}
