/* Graphs in C++ (part of musa_runtime.h): variables by themselves, and what kernels may call. */
#ifndef MUSASHIM_CRT_GRAPH_FUNCTIONS_H
#define MUSASHIM_CRT_GRAPH_FUNCTIONS_H

/* ---- Symbols: a variable stands for itself ---- */

template <class T>
static inline musaError_t musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                                         const musaGraphNode_t* pDependencies,
                                                         size_t numDependencies, const T& symbol,
                                                         const void* src, size_t count, size_t offset,
                                                         enum musaMemcpyKind kind) {
  return ::musaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                          musashimSymbol(symbol), src, count, offset, kind);
}

template <class T>
static inline musaError_t musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                                           const musaGraphNode_t* pDependencies,
                                                           size_t numDependencies, void* dst, const T& symbol,
                                                           size_t count, size_t offset,
                                                           enum musaMemcpyKind kind) {
  return ::musaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                            musashimSymbol(symbol), count, offset, kind);
}

template <class T>
static inline musaError_t musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const T& symbol,
                                                               const void* src, size_t count, size_t offset,
                                                               enum musaMemcpyKind kind) {
  return ::musaGraphMemcpyNodeSetParamsToSymbol(node, musashimSymbol(symbol), src, count, offset, kind);
}

template <class T>
static inline musaError_t musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void* dst,
                                                                 const T& symbol, size_t count, size_t offset,
                                                                 enum musaMemcpyKind kind) {
  return ::musaGraphMemcpyNodeSetParamsFromSymbol(node, dst, musashimSymbol(symbol), count, offset, kind);
}

template <class T>
static inline musaError_t musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec,
                                                                   musaGraphNode_t node, const T& symbol,
                                                                   const void* src, size_t count,
                                                                   size_t offset, enum musaMemcpyKind kind) {
  return ::musaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, musashimSymbol(symbol), src, count,
                                                    offset, kind);
}

template <class T>
static inline musaError_t musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec,
                                                                     musaGraphNode_t node, void* dst,
                                                                     const T& symbol, size_t count,
                                                                     size_t offset,
                                                                     enum musaMemcpyKind kind) {
  return ::musaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, musashimSymbol(symbol), count,
                                                      offset, kind);
}

/* ---- Kernels ---- */

#if defined(__MUSACC__)
/* Sets what conditional nodes with this handle look at; handles are addresses. */
__device__ static inline void musaGraphSetConditional(musaGraphConditionalHandle handle, unsigned int value) {
  __atomic_store_n(reinterpret_cast<unsigned int*>(handle), value, __ATOMIC_RELEASE);
}
#endif

#endif /* MUSASHIM_CRT_GRAPH_FUNCTIONS_H */
