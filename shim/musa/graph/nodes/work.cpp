#include "musa/graph/nodes/work.h"

#include <fmt/format.h>

#include <cstring>

#include "musa/api/api_call.h"
#include "musa/context/access_policy.h"
#include "musa/graph/nodes/node_params.h"
#include "musa/memory/copy/copy.h"
#include "musa/module/launch.h"
#include "musa/module/library.h"
#include "musa/stream/memory_operation.h"

namespace musashim::musa {

bool KernelWork::cooperative() const {
  auto found = attributes.find(MU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  return found != attributes.end() && found->second.cooperative != 0;
}

namespace {

struct TypeOf {
  MUgraphNodeType operator()(const KernelWork&) const { return MU_GRAPH_NODE_TYPE_KERNEL; }
  MUgraphNodeType operator()(const CopyWork&) const { return MU_GRAPH_NODE_TYPE_MEMCPY; }
  MUgraphNodeType operator()(const FillWork&) const { return MU_GRAPH_NODE_TYPE_MEMSET; }
  MUgraphNodeType operator()(const HostWork&) const { return MU_GRAPH_NODE_TYPE_HOST; }
  MUgraphNodeType operator()(const ChildWork&) const { return MU_GRAPH_NODE_TYPE_GRAPH; }
  MUgraphNodeType operator()(const EmptyWork&) const { return MU_GRAPH_NODE_TYPE_EMPTY; }
  MUgraphNodeType operator()(const EventWaitWork&) const { return MU_GRAPH_NODE_TYPE_WAIT_EVENT; }
  MUgraphNodeType operator()(const EventRecordWork&) const { return MU_GRAPH_NODE_TYPE_EVENT_RECORD; }
  MUgraphNodeType operator()(const AllocWork&) const { return MU_GRAPH_NODE_TYPE_MEM_ALLOC; }
  MUgraphNodeType operator()(const FreeWork&) const { return MU_GRAPH_NODE_TYPE_MEM_FREE; }
  MUgraphNodeType operator()(const MemOpWork&) const { return MU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }
  MUgraphNodeType operator()(const ConditionalWork&) const { return MU_GRAPH_NODE_TYPE_CONDITIONAL; }
};

}  // namespace

MUgraphNodeType typeOf(const NodeWork& work) { return std::visit(TypeOf{}, work); }

KernelWork kernelWorkOf(Function& function, const LaunchRequest& request,
                        const backend::ParamBuffer& params) {
  KernelWork work{.function = &function,
                  .grid = request.grid,
                  .block = request.block,
                  .sharedBytes = request.sharedBytes,
                  .params = {params.data(), params.data() + params.size()},
                  .attributes = {}};
  if (request.cooperative) work.attributes[MU_LAUNCH_ATTRIBUTE_COOPERATIVE].cooperative = 1;
  return work;
}

Result makeKernelWork(const MUSA_KERNEL_NODE_PARAMS* params, KernelWork& work) {
  MUSA_REQUIRE(params, MUSA_ERROR_INVALID_VALUE, "null pointer");
  // A library's kernel may be given as a function, too.
  const MUfunction handle = params->func ? params->func : reinterpret_cast<MUfunction>(params->kern);
  Function* function = nullptr;
  Context* context = nullptr;
  if (!params->func && params->ctx) MUSA_TRY(contextOr(params->ctx, context));
  MUSA_TRY(findLaunchable(handle, context, function));
  LaunchRequest request{.grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
                        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
                        .sharedBytes = params->sharedMemBytes,
                        .params = params->kernelParams,
                        .extra = params->extra};
  backend::KernelLaunch launch;
  MUSA_TRY(prepareLaunch(*function, request, launch));
  KernelAttributes kept = std::move(work.attributes);
  work = kernelWorkOf(*function, request, launch.params);
  work.attributes = std::move(kept);
  return {};
}

bool VariableUse::isLoaded() const {
  const Allocation* allocation = driver().allocations().peek(base);
  return allocation && allocation->id == id;
}

std::vector<VariableUse> variablesAt(std::initializer_list<const void*> pointers) {
  std::vector<VariableUse> found;
  for (const void* pointer : pointers) {
    const Allocation* allocation = driver().allocations().peek(reinterpret_cast<uintptr_t>(pointer));
    if (allocation && allocation->kind == MemoryKind::kVariable)
      found.push_back({allocation->base, allocation->id});
  }
  return found;
}

Result makeCopyWork(const MUSA_MEMCPY3D* params, Context& context, CopyWork& work) {
  CopyRequest request;
  MUSA_TRY(copyRequest(params, request));
  MUSA_REQUIRE(request.copy.width && request.copy.height && request.copy.depth, MUSA_ERROR_INVALID_VALUE,
               "an empty copy");
  MUSA_TRY(checkCopy(request));
  work = {context, request.copy, *params};
  return {};
}

Result makeFillWork(const MUSA_MEMSET_NODE_PARAMS* params, Context& context, FillWork& work) {
  MUSA_REQUIRE(params, MUSA_ERROR_INVALID_VALUE, "null pointer");
  unsigned bytes = params->elementSize;
  MUSA_REQUIRE(bytes == 1 || bytes == 2 || bytes == 4, MUSA_ERROR_INVALID_VALUE,
               fmt::format("elements of {} bytes", bytes));
  MUSA_REQUIRE(params->width && params->height, MUSA_ERROR_INVALID_VALUE, "an empty fill");
  backend::Fill fill{.dst = toPointer(params->dst),
                     .value = params->value,
                     .elementBytes = bytes,
                     .width = params->width,
                     .height = params->height,
                     .pitch = params->height > 1 ? params->pitch : 0};
  MUSA_TRY(checkFill(context, fill));
  work = {context, fill, *params};
  return {};
}

Result makeMemOpWork(const MUSA_BATCH_MEM_OP_NODE_PARAMS* params, MemOpWork& work) {
  MUSA_REQUIRE(params && params->paramArray && params->count, MUSA_ERROR_INVALID_VALUE, "no operations");
  MUSA_REQUIRE(params->flags == 0, MUSA_ERROR_INVALID_VALUE, "unknown flags");
  Context* context = nullptr;
  MUSA_TRY(params->ctx ? findContext(params->ctx, context) : currentContext(context));
  std::vector<MUstreamBatchMemOpParams> operations(params->paramArray, params->paramArray + params->count);
  MUSA_TRY(checkMemoryOperations(operations));
  work = {context, std::move(operations)};
  return {};
}

MUSA_MEMCPY3D describe(const backend::Copy& copy) {
  MUSA_MEMCPY3D result = {};
  result.srcMemoryType = result.dstMemoryType = MU_MEMORYTYPE_UNIFIED;
  result.srcDevice = toDevicePtr(copy.src);
  result.dstDevice = toDevicePtr(copy.dst);
  result.srcPitch = copy.srcPitch ? copy.srcPitch : copy.width;
  result.dstPitch = copy.dstPitch ? copy.dstPitch : copy.width;
  result.srcHeight = result.srcPitch && copy.srcSlice ? copy.srcSlice / result.srcPitch : copy.height;
  result.dstHeight = result.dstPitch && copy.dstSlice ? copy.dstSlice / result.dstPitch : copy.height;
  result.WidthInBytes = copy.width;
  result.Height = copy.height;
  result.Depth = copy.depth;
  return result;
}

MUSA_MEMSET_NODE_PARAMS describe(const backend::Fill& fill) {
  return {.dst = toDevicePtr(fill.dst),
          .pitch = fill.pitch,
          .value = fill.value,
          .elementSize = fill.elementBytes,
          .width = fill.width,
          .height = fill.height};
}

Result setKernelAttribute(KernelWork& work, MUlaunchAttributeID id, const MUlaunchAttributeValue& value) {
  switch (id) {
    case MU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case MU_LAUNCH_ATTRIBUTE_PRIORITY:
    case MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      if (id == MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) MUSA_TRY(checkWindow(value.accessPolicyWindow));
      work.attributes[id] = value;
      return {};
    default:
      return {MUSA_ERROR_INVALID_VALUE,
              fmt::format("no attribute of kernel nodes: {}", static_cast<int>(id))};
  }
}

Result getKernelAttribute(const KernelWork& work, MUlaunchAttributeID id, MUlaunchAttributeValue& value) {
  MUlaunchAttributeValue probe = {};
  KernelWork any;
  MUSA_TRY(setKernelAttribute(any, id, probe));
  auto found = work.attributes.find(id);
  std::memset(&value, 0, sizeof value);
  if (found != work.attributes.end()) value = found->second;
  return {};
}

}  // namespace musashim::musa
