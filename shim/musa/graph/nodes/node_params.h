// Making nodes from the user's parameters, shared by the entries of one kind and the general ones.
#pragma once

#include "musa/graph/graph_call.h"

namespace musashim::musa {

// The context of a handle; the current one for null.
Result contextOr(MUcontext handle, Context*& context);

Result makeHostWork(const MUSA_HOST_NODE_PARAMS* params, HostWork& work);
Result findNodeEvent(MUevent handle, Event*& event);

Result addChildNode(const NewNode& where, MUgraph childGraph);
Result addAllocationNode(const NewNode& where, MUSA_MEM_ALLOC_NODE_PARAMS* params);
Result addFreeNode(const NewNode& where, MUdeviceptr address);
Result addConditionalNode(const NewNode& where, MUSA_CONDITIONAL_NODE_PARAMS& params);

}  // namespace musashim::musa
