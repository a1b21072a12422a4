/* CUDA 13's forms of driver functions, in C++ (part of musa.h): places instead of numbers of devices, edges
 * with their data, contexts with parameters. */
#ifndef MUSASHIM_CRT_DRIVER_OVERLOADS_H
#define MUSASHIM_CRT_DRIVER_OVERLOADS_H

static inline MUresult muCtxCreate(MUcontext* pctx, MUctxCreateParams* params, unsigned int flags,
                                   MUdevice dev) {
  if (params != nullptr && (params->numExecAffinityParams != 0 || params->cigParams != nullptr))
    return MUSA_ERROR_NOT_SUPPORTED;
  return muCtxCreate(pctx, flags, dev);
}

static inline MUresult muMemPrefetchAsync(MUdeviceptr devPtr, size_t count, MUmemLocation location,
                                          unsigned int flags, MUstream hStream) {
  return muMemPrefetchAsync_v2(devPtr, count, location, flags, hStream);
}

static inline MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice,
                                   MUmemLocation location) {
  return muMemAdvise_v2(devPtr, count, advice, location);
}

static inline MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                                              const MUgraphEdgeData* edgeData, size_t numDependencies) {
  return muGraphAddDependencies_v2(hGraph, from, to, edgeData, numDependencies);
}

static inline MUresult muGraphRemoveDependencies(MUgraph hGraph, const MUgraphNode* from,
                                                 const MUgraphNode* to, const MUgraphEdgeData* edgeData,
                                                 size_t numDependencies) {
  return muGraphRemoveDependencies_v2(hGraph, from, to, edgeData, numDependencies);
}

static inline MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to,
                                       MUgraphEdgeData* edgeData, size_t* numEdges) {
  return muGraphGetEdges_v2(hGraph, from, to, edgeData, numEdges);
}

static inline MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode* dependencies,
                                                  MUgraphEdgeData* edgeData, size_t* numDependencies) {
  return muGraphNodeGetDependencies_v2(hNode, dependencies, edgeData, numDependencies);
}

static inline MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode* dependentNodes,
                                                    MUgraphEdgeData* edgeData, size_t* numDependentNodes) {
  return muGraphNodeGetDependentNodes_v2(hNode, dependentNodes, edgeData, numDependentNodes);
}

static inline MUresult muGraphAddNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                      const MUgraphNode* dependencies, const MUgraphEdgeData* dependencyData,
                                      size_t numDependencies, MUgraphNodeParams* nodeParams) {
  return muGraphAddNode_v2(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
}

static inline MUresult muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus* captureStatus_out,
                                              muuint64_t* id_out, MUgraph* graph_out,
                                              const MUgraphNode** dependencies_out,
                                              const MUgraphEdgeData** edgeData_out,
                                              size_t* numDependencies_out) {
  return muStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, graph_out, dependencies_out,
                                   edgeData_out, numDependencies_out);
}

static inline MUresult muStreamUpdateCaptureDependencies(MUstream hStream, MUgraphNode* dependencies,
                                                         const MUgraphEdgeData* dependencyData,
                                                         size_t numDependencies, unsigned int flags) {
  return muStreamUpdateCaptureDependencies_v2(hStream, dependencies, dependencyData, numDependencies, flags);
}

#endif
