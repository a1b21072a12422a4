// Nodes that do something by themselves: kernels, copies, fills, host functions.
#include "musa/graph/nodes/node_params.h"

using namespace musashim::musa;

namespace {

// The node's own copies of the parameters, as the user would pass them to a launch.
MUSA_KERNEL_NODE_PARAMS kernelParamsOf(GraphNode& node) {
  KernelWork& work = *node.as<KernelWork>();
  const MusaKernelInfo& info = work.function->info();
  node.paramPointers.clear();
  for (uint32_t i = 0; i < info.param_count; ++i) {
    node.paramPointers.push_back(work.params.data() + info.params[i].offset);
  }
  return {.func = reinterpret_cast<MUfunction>(work.function),
          .gridDimX = work.grid.x,
          .gridDimY = work.grid.y,
          .gridDimZ = work.grid.z,
          .blockDimX = work.block.x,
          .blockDimY = work.block.y,
          .blockDimZ = work.block.z,
          .sharedMemBytes = work.sharedBytes,
          .kernelParams = node.paramPointers.empty() ? nullptr : node.paramPointers.data(),
          .extra = nullptr,
          .kern = nullptr,
          .ctx = nullptr};
}

}  // namespace

#define NEW_NODE \
  NewNode { phGraphNode, hGraph, dependencies, numDependencies }

extern "C" {

MUresult muGraphAddKernelNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddKernelNode",
      [&] {
        return addNode<KernelWork>(NEW_NODE, [&](KernelWork& w) { return makeKernelWork(nodeParams, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphKernelNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        MUSA_REQUIRE(driver().functions.get(work->function), MUSA_ERROR_INVALID_HANDLE,
                     "the kernel's module was unloaded");
        *nodeParams = kernelParamsOf(*node);
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphKernelNodeSetParams(MUgraphNode hNode, const MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphKernelNodeSetParams",
      [&] {
        return setNode<KernelWork>(hNode, [&](KernelWork& w) { return makeKernelWork(nodeParams, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
                                       MUkernelNodeAttrValue* value_out) {
  return graphCall(
      "muGraphKernelNodeGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        return getKernelAttribute(*work, attr, *value_out);
      },
      hNode, attr, value_out);
}

MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
                                       const MUkernelNodeAttrValue* value) {
  return graphCall(
      "muGraphKernelNodeSetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        return setKernelAttribute(*work, attr, *value);
      },
      hNode, attr, value);
}

MUresult muGraphKernelNodeCopyAttributes(MUgraphNode dst, MUgraphNode src) {
  return graphCall(
      "muGraphKernelNodeCopyAttributes",
      [&]() -> Result {
        GraphNode *to = nullptr, *from = nullptr;
        KernelWork *target = nullptr, *source = nullptr;
        MUSA_TRY(findNodeOf(dst, to, target));
        MUSA_TRY(findNodeOf(src, from, source));
        target->attributes = source->attributes;
        return {};
      },
      dst, src);
}

MUresult muGraphAddMemcpyNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  return graphCall(
      "muGraphAddMemcpyNode",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return addNode<CopyWork>(NEW_NODE,
                                 [&](CopyWork& w) { return makeCopyWork(copyParams, *context, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
}

MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D* nodeParams) {
  return graphCall(
      "muGraphMemcpyNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        CopyWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->described;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D* nodeParams) {
  return graphCall(
      "muGraphMemcpyNodeSetParams",
      [&] {
        return setNode<CopyWork>(hNode, [&](CopyWork& w) { return makeCopyWork(nodeParams, *w.context, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphAddMemsetNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_MEMSET_NODE_PARAMS* memsetParams,
                              MUcontext ctx) {
  return graphCall(
      "muGraphAddMemsetNode",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return addNode<FillWork>(NEW_NODE,
                                 [&](FillWork& w) { return makeFillWork(memsetParams, *context, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
}

MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphMemsetNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        FillWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->described;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode, const MUSA_MEMSET_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphMemsetNodeSetParams",
      [&] {
        return setNode<FillWork>(hNode, [&](FillWork& w) { return makeFillWork(nodeParams, *w.context, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphAddHostNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                            size_t numDependencies, const MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddHostNode",
      [&] { return addNode<HostWork>(NEW_NODE, [&](HostWork& w) { return makeHostWork(nodeParams, w); }); },
      phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphHostNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        HostWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->params;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphHostNodeSetParams(MUgraphNode hNode, const MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphHostNodeSetParams",
      [&] { return setNode<HostWork>(hNode, [&](HostWork& w) { return makeHostWork(nodeParams, w); }); },
      hNode, nodeParams);
}

}  // extern "C"
