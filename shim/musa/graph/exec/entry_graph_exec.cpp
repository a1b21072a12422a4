// Executable graphs: instantiation, launch, update; the devices' memory for graphs.
#include <cstring>
#include <string_view>

#include "musa/graph/graph_call.h"
#include "musa/graph/nodes/graph_memory.h"

using namespace musashim::musa;

namespace {

constexpr uint64_t kAllFlags =
    MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    MUSA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | MUSA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

Result instantiate(MUgraphExec* out, MUgraph hGraph, uint64_t flags, GraphNode*& culprit) {
  MUSA_REQUIRE(out && (flags & ~kAllFlags) == 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or unknown flags");
  MUSA_REQUIRE((flags & MUSA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) == 0, MUSA_ERROR_NOT_SUPPORTED,
               "launching graphs from kernels");
  Graph* graph = nullptr;
  Context* context = nullptr;
  MUSA_TRY(findGraph(hGraph, graph));
  MUSA_TRY(currentContext(context));
  MUSA_REQUIRE(!graph->capture, MUSA_ERROR_INVALID_VALUE, "a capture adds to the graph");
  MUSA_REQUIRE(!graph->hasUnusedCondition(), MUSA_ERROR_INVALID_VALUE, "a condition that no node uses");
  MUSA_REQUIRE(!graph->hasMemoryNodes() || graph->memoryUser.expired(), MUSA_ERROR_NOT_SUPPORTED,
               "a graph with allocation or free nodes has one executable graph at a time");
  GraphExec* exec = nullptr;
  MUSA_TRY(GraphExec::create(*graph, *context, flags, exec, culprit));
  *out = exec->handle();
  return {};
}

MUgraphInstantiateResult resultOf(const Result& result, MUgraph hGraph, const GraphNode* culprit) {
  if (result.isOk()) return MUSA_GRAPH_INSTANTIATE_SUCCESS;
  if (culprit) return MUSA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  GraphLock lock;
  Graph* graph = driver().graphs.get(hGraph);
  return graph && graph->hasUnusedCondition() ? MUSA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED
                                              : MUSA_GRAPH_INSTANTIATE_ERROR;
}

Result update(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphExecUpdateResultInfo& info) {
  info = {MU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  GraphExec* exec = nullptr;
  Graph* graph = nullptr;
  MUSA_TRY(findExec(hGraphExec, exec));
  MUSA_TRY(findGraph(hGraph, graph));
  return exec->update(*graph, info);
}

Result graphMemoryOf(MUdevice device, void* value, GraphMemoryUse*& use) {
  MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
  DeviceState* state = nullptr;
  MUSA_TRY(findDevice(device, state));
  use = &state->graphMemory;
  return {};
}

// Kinds of nodes that can be switched off.
bool canDisable(const GraphNode& node) {
  return node.as<KernelWork>() || node.as<CopyWork>() || node.as<FillWork>();
}

}  // namespace

extern "C" {

MUresult muGraphInstantiate(MUgraphExec* phGraphExec, MUgraph hGraph, unsigned long long flags) {
  return graphCall(
      "muGraphInstantiateWithFlags",
      [&]() -> Result {
        MUSA_REQUIRE((flags & MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD) == 0, MUSA_ERROR_INVALID_VALUE,
                     "no stream to upload in");
        GraphNode* culprit = nullptr;
        return instantiate(phGraphExec, hGraph, flags, culprit);
      },
      phGraphExec, hGraph, flags);
}

MUresult muGraphInstantiate_v2(MUgraphExec* phGraphExec, MUgraph hGraph, MUgraphNode* phErrorNode,
                               char* logBuffer, size_t bufferSize) {
  return graphCall(
      "muGraphInstantiate_v2",
      [&] {
        GraphNode* culprit = nullptr;
        Result result = instantiate(phGraphExec, hGraph, 0, culprit);
        if (phErrorNode) *phErrorNode = culprit ? culprit->handle() : nullptr;
        if (logBuffer && bufferSize != 0) {
          logBuffer[std::string_view(result.message()).copy(logBuffer, bufferSize - 1)] = '\0';
        }
        return result;
      },
      phGraphExec, hGraph, phErrorNode, static_cast<void*>(logBuffer), bufferSize);
}

MUresult muGraphInstantiateWithParams(MUgraphExec* phGraphExec, MUgraph hGraph,
                                      MUSA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  return apiCall(
      "muGraphInstantiateWithParams",
      [&]() -> Result {
        MUSA_REQUIRE(instantiateParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* culprit = nullptr;
        Result result;
        {
          GraphLock lock;
          result = instantiate(phGraphExec, hGraph, instantiateParams->flags, culprit);
        }
        instantiateParams->hErrNode_out = culprit ? culprit->handle() : nullptr;
        instantiateParams->result_out = resultOf(result, hGraph, culprit);
        MUSA_TRY(result);
        if ((instantiateParams->flags & MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD) == 0) return {};
        Stream* stream = nullptr;
        GraphExec* exec = nullptr;
        MUSA_TRY(findStream(instantiateParams->hUploadStream, stream));
        MUSA_TRY(findExec(*phGraphExec, exec));
        return exec->upload(*stream);
      },
      phGraphExec, hGraph, instantiateParams);
}

MUresult muGraphExecGetFlags(MUgraphExec hGraphExec, muuint64_t* flags) {
  return apiCall(
      "muGraphExecGetFlags",
      [&]() -> Result {
        MUSA_REQUIRE(flags, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphExec* exec = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        // Priorities belong to the nodes: asked for, they are not told (recorded).
        *flags = exec->flags() & ~muuint64_t{MUSA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY};
        return {};
      },
      hGraphExec, flags);
}

MUresult muGraphLaunch(MUgraphExec hGraphExec, MUstream hStream) {
  return apiCall(
      "muGraphLaunch",
      [&]() -> Result {
        GraphExec* exec = nullptr;
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));  // launches are not captured, as on hardware
        MUSA_TRY(findExec(hGraphExec, exec));
        return exec->launch(*stream);
      },
      hGraphExec, hStream);
}

MUresult muGraphUpload(MUgraphExec hGraphExec, MUstream hStream) {
  return apiCall(
      "muGraphUpload",
      [&]() -> Result {
        GraphExec* exec = nullptr;
        Stream* stream = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        MUSA_TRY(findStream(hStream, stream));
        return exec->upload(*stream);
      },
      hGraphExec, hStream);
}

MUresult muGraphExecDestroy(MUgraphExec hGraphExec) {
  return graphCall(
      "muGraphExecDestroy",
      [&]() -> Result {
        GraphExec* exec = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        driver().graphExecs.destroy(exec);
        return {};
      },
      hGraphExec);
}

// The form of before CUDA 12, which the vendor's library has.
MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode* hErrorNode_out,
                           MUgraphExecUpdateResult* updateResult_out) {
  return graphCall(
      "muGraphExecUpdate",
      [&]() -> Result {
        MUSA_REQUIRE(updateResult_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUgraphExecUpdateResultInfo info;
        Result result = update(hGraphExec, hGraph, info);
        *updateResult_out = info.result;
        if (hErrorNode_out) *hErrorNode_out = info.errorNode;
        return result;
      },
      hGraphExec, hGraph, hErrorNode_out, updateResult_out);
}

MUresult muGraphExecUpdate_v2(MUgraphExec hGraphExec, MUgraph hGraph,
                              MUgraphExecUpdateResultInfo* resultInfo) {
  return graphCall(
      "muGraphExecUpdate_v2",
      [&]() -> Result {
        MUgraphExecUpdateResultInfo unasked;
        return update(hGraphExec, hGraph, resultInfo ? *resultInfo : unasked);
      },
      hGraphExec, hGraph, resultInfo);
}

MUresult muGraphNodeSetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int isEnabled) {
  return graphCall(
      "muGraphNodeSetEnabled",
      [&]() -> Result {
        GraphExec* exec = nullptr;
        GraphNode* copy = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        MUSA_TRY(exec->findCopy(hNode, copy));
        MUSA_REQUIRE(canDisable(*copy), MUSA_ERROR_INVALID_VALUE,
                     "only kernel, copy and fill nodes can be switched off");
        exec->setEnabled(*copy, isEnabled != 0);
        return {};
      },
      hGraphExec, hNode, isEnabled);
}

MUresult muGraphNodeGetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int* isEnabled) {
  return graphCall(
      "muGraphNodeGetEnabled",
      [&]() -> Result {
        MUSA_REQUIRE(isEnabled, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphExec* exec = nullptr;
        GraphNode* copy = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        MUSA_TRY(exec->findCopy(hNode, copy));
        MUSA_REQUIRE(canDisable(*copy), MUSA_ERROR_INVALID_VALUE,
                     "only kernel, copy and fill nodes can be switched off");
        *isEnabled = exec->isEnabled(*copy);
        return {};
      },
      hGraphExec, hNode, isEnabled);
}

MUresult muDeviceGraphMemTrim(MUdevice device) {
  return apiCall(
      "muDeviceGraphMemTrim",
      [&]() -> Result {
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(device, state));
        state->graphMemory.trim();
        return {};
      },
      device);
}

MUresult muDeviceGetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void* value) {
  return apiCall(
      "muDeviceGetGraphMemAttribute",
      [&]() -> Result {
        GraphMemoryUse* use = nullptr;
        MUSA_TRY(graphMemoryOf(device, value, use));
        return use->get(attr, *static_cast<muuint64_t*>(value));
      },
      device, attr, value);
}

MUresult muDeviceSetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void* value) {
  return apiCall(
      "muDeviceSetGraphMemAttribute",
      [&]() -> Result {
        GraphMemoryUse* use = nullptr;
        MUSA_TRY(graphMemoryOf(device, value, use));
        MUSA_REQUIRE(*static_cast<muuint64_t*>(value) == 0, MUSA_ERROR_INVALID_VALUE,
                     "a high mark can only be set to 0");
        return use->reset(attr);
      },
      device, attr, value);
}

}  // extern "C"
