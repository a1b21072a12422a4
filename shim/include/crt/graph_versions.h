/* Graphs in C++ (part of musa_runtime_api.h): the forms of other versions of the API. */
#ifndef MUSASHIM_CRT_GRAPH_VERSIONS_H
#define MUSASHIM_CRT_GRAPH_VERSIONS_H

/* ---- Before CUDA 12 ---- */

static inline musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                               musaGraphNode_t* pErrorNode, char* pLogBuffer,
                                               size_t bufferSize) {
  musaGraphInstantiateParams params = {};
  musaError_t error = ::musaGraphInstantiateWithParams(pGraphExec, graph, &params);
  if (pErrorNode != nullptr) *pErrorNode = params.errNode_out;
  if (pLogBuffer != nullptr && bufferSize != 0) *pLogBuffer = '\0';
  return error;
}

static inline musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                              musaGraphNode_t* hErrorNode_out,
                                              enum musaGraphExecUpdateResult* updateResult_out) {
  if (updateResult_out == nullptr) return ::musaGraphExecUpdate(hGraphExec, hGraph, nullptr);
  musaGraphExecUpdateResultInfo info = {};
  musaError_t error = ::musaGraphExecUpdate(hGraphExec, hGraph, &info);
  *updateResult_out = info.result;
  if (hErrorNode_out != nullptr) *hErrorNode_out = info.errorNode;
  return error;
}

/* ---- CUDA 13: with the edges' data ---- */

static inline musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                                   const musaGraphNode_t* to,
                                                   const musaGraphEdgeData* edgeData,
                                                   size_t numDependencies) {
  return ::musaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                                      const musaGraphNode_t* to,
                                                      const musaGraphEdgeData* edgeData,
                                                      size_t numDependencies) {
  return ::musaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t* from, musaGraphNode_t* to,
                                            musaGraphEdgeData* edgeData, size_t* numEdges) {
  return ::musaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

static inline musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node, musaGraphNode_t* pDependencies,
                                                       musaGraphEdgeData* edgeData,
                                                       size_t* pNumDependencies) {
  return ::musaGraphNodeGetDependencies_v2(node, pDependencies, edgeData, pNumDependencies);
}

static inline musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node,
                                                         musaGraphNode_t* pDependentNodes,
                                                         musaGraphEdgeData* edgeData,
                                                         size_t* pNumDependentNodes) {
  return ::musaGraphNodeGetDependentNodes_v2(node, pDependentNodes, edgeData, pNumDependentNodes);
}

static inline musaError_t musaGraphAddNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                           const musaGraphNode_t* pDependencies,
                                           const musaGraphEdgeData* dependencyData, size_t numDependencies,
                                           struct musaGraphNodeParams* nodeParams) {
  return ::musaGraphAddNode_v2(pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams);
}

namespace musashim_vendor_absent {
static inline musaError_t musaStreamGetCaptureInfo(musaStream_t stream,
                                                   enum musaStreamCaptureStatus* captureStatus_out,
                                                   unsigned long long* id_out, musaGraph_t* graph_out,
                                                   const musaGraphNode_t** dependencies_out,
                                                   const musaGraphEdgeData** edgeData_out,
                                                   size_t* numDependencies_out) {
  return ::musaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, graph_out, dependencies_out,
                                       edgeData_out, numDependencies_out);
}
}  // namespace musashim_vendor_absent

static inline musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream,
                                                              musaGraphNode_t* dependencies,
                                                              const musaGraphEdgeData* dependencyData,
                                                              size_t numDependencies,
                                                              unsigned int flags = 0) {
  return ::musaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData, numDependencies,
                                                  flags);
}

#endif /* MUSASHIM_CRT_GRAPH_VERSIONS_H */
