// A launch is work of its stream: behind what was there, before what comes, one after the other.
#include "../../framework/gate.h"
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.launch_order");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  cudaStream_t other;
  cudaStream_t blocking;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  SETUP(cudaStreamCreate(&blocking));
  cudaGraph_t graph = newGraph();
  TimesPlus first(value.data(), 10, 1);
  TimesPlus second(value.data(), 10, 2);
  second.addTo(graph, {first.addTo(graph)});
  cudaGraphExec_t exec = instantiated(graph);
  {
    Gate gate;
    gate.block(stream);
    OBSERVE("launch_behind", cudaGraphLaunch(exec, stream));
    OBSERVE("launch_twice", cudaGraphLaunch(exec, stream));
    timesPlus<<<1, 1, 0, stream>>>(value.data(), 10, 3);
    OBSERVE("waits", cudaStreamQuery(stream));
    gate.open();
    OBSERVE("finish", cudaStreamSynchronize(stream));
    OBSERVE("value", readBack(value)[0]);
  }
  {
    // The same executable graph in two streams: the second launch waits for the first.
    Gate gate;
    gate.block(stream);
    SETUP(cudaGraphLaunch(exec, stream));
    OBSERVE("launch_elsewhere", cudaGraphLaunch(exec, other));
    OBSERVE("elsewhere_waits", cudaStreamQuery(other));
    gate.open();
    OBSERVE("elsewhere_finishes", cudaStreamSynchronize(other));
  }
  SETUP(cudaDeviceSynchronize());
  {
    // The legacy stream's launch waits for blocking streams, and they for it.
    Gate gate;
    SETUP(cudaMemset(value.data(), 0, sizeof(int)));
    SETUP(cudaDeviceSynchronize());
    gate.block(blocking);
    timesPlus<<<1, 1, 0, blocking>>>(value.data(), 10, 7);
    OBSERVE("launch_legacy", cudaGraphLaunch(exec, nullptr));
    timesPlus<<<1, 1, 0, blocking>>>(value.data(), 10, 8);
    gate.open();
    SETUP(cudaDeviceSynchronize());
    OBSERVE("legacy_value", readBack(value)[0]);
  }
  {
    // Destroyed while it waits: the launch is carried out.
    Gate gate;
    SETUP(cudaMemset(value.data(), 0, sizeof(int)));
    SETUP(cudaDeviceSynchronize());
    gate.block(stream);
    SETUP(cudaGraphLaunch(exec, stream));
    OBSERVE("destroy_graph_pending", cudaGraphDestroy(graph));
    OBSERVE("destroy_pending", cudaGraphExecDestroy(exec));
    gate.open();
    OBSERVE("finish_destroyed", cudaStreamSynchronize(stream));
    OBSERVE("value_destroyed", readBack(value)[0]);
  }
}
