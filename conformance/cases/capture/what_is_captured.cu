// Which calls become which nodes.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.what_is_captured");

static void CUDART_CB addOne(void* data) { ++*static_cast<int*>(data); }
static void CUDART_CB callback(cudaStream_t, cudaError_t, void*) {}

__device__ int variable;

static std::string kinds(cudaGraph_t graph) {
  size_t count = nodeCount(graph);
  std::vector<cudaGraphNode_t> nodes(count);
  SETUP(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::vector<int> types;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    SETUP(cudaGraphNodeGetType(node, &type));
    types.push_back(static_cast<int>(type));
  }
  return joined(types);
}

int main() {
  DeviceArray<int> value(4);
  int host[4] = {5, 6, 7, 8};
  int calls = 0;
  int result = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaEventCreate(&event));
  cudaGraph_t child = newGraph();
  emptyNode(child);
  cudaGraphExec_t childExec = instantiated(child);

  cudaGraph_t graph = nullptr;
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("copy", cudaMemcpyAsync(value.data(), host, sizeof host, cudaMemcpyHostToDevice, stream));
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 10, 1);
  OBSERVE("kernel", cudaGetLastError());
  OBSERVE("fill", cudaMemsetAsync(value.data() + 1, 0, 4, stream));
  OBSERVE("fill_rows", cudaMemset2DAsync(value.data() + 2, 4, 1, 4, 2, stream));
  OBSERVE("copy_rows",
          cudaMemcpy2DAsync(value.data() + 2, 8, value.data(), 8, 4, 1, cudaMemcpyDeviceToDevice, stream));
  OBSERVE("to_symbol",
          cudaMemcpyToSymbolAsync(variable, value.data(), 4, 0, cudaMemcpyDeviceToDevice, stream));
  OBSERVE("host_function", cudaLaunchHostFunc(stream, addOne, &calls));
  OBSERVE("record", cudaEventRecord(event, stream));
  OBSERVE("record_external", cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  OBSERVE("wait_external", cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
  OBSERVE("graph", cudaGraphLaunch(childExec, stream));
  int* temporary = nullptr;
  OBSERVE("allocate", cudaMallocAsync(reinterpret_cast<void**>(&temporary), 4, stream));
  OBSERVE("allocated_address", temporary != nullptr);
  OBSERVE("use", cudaMemcpyAsync(temporary, value.data(), 4, cudaMemcpyDeviceToDevice, stream));
  OBSERVE("free", cudaFreeAsync(temporary, stream));
  OBSERVE("copy_out", cudaMemcpyAsync(&result, value.data(), 4, cudaMemcpyDeviceToHost, stream));
  OBSERVE("end", cudaStreamEndCapture(stream, &graph));
  OBSERVE("has_graph", graph != nullptr);
  if (graph != nullptr) {
    OBSERVE("kinds", kinds(graph));
    size_t edges = 0;
    SETUP(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    OBSERVE("edges", edges);
    OBSERVE("nothing_ran", calls);
    cudaGraphExec_t exec = nullptr;
    OBSERVE("instantiate", cudaGraphInstantiate(&exec, graph, 0));
    OBSERVE("run", runGraph(exec, stream));
    OBSERVE("result", result);
    OBSERVE("values", joined(readBack(value)));
    OBSERVE("calls", calls);
  }
  cudaGetLastError();

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("callback", cudaStreamAddCallback(stream, callback, nullptr, 0));
  OBSERVE("end_after_callback", cudaStreamEndCapture(stream, &graph));
  cudaGetLastError();
}
