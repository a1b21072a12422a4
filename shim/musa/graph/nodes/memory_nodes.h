// Allocation and free nodes, made by hand or by capture.
#pragma once

#include <span>

#include "musa/graph/graph.h"
#include "musa/stream/stream.h"

namespace musashim::musa {

// With GraphLock. Checks what the pool properties ask for and takes the memory.
Result makeAllocWork(Context& context, const MUSA_MEM_ALLOC_NODE_PARAMS& params, AllocWork& work);
// Each allocation is freed once at most in a graph.
Result checkFreeWork(const Graph& graph, MUdeviceptr address);

// muMemAllocAsync and muMemFreeAsync in a capturing stream.
Result captureAllocation(Stream& stream, size_t bytes, MUdeviceptr& address);
Result captureFree(Stream& stream, MUdeviceptr address);

}  // namespace musashim::musa
