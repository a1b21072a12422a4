#include "musa/graph/nodes/memory_nodes.h"

#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/graph/capture/capture.h"
#include "musa/graph/nodes/graph_memory.h"

namespace musashim::musa {

Result makeAllocWork(Context& context, const MUSA_MEM_ALLOC_NODE_PARAMS& params, AllocWork& work) {
  const MUmemPoolProps& props = params.poolProps;
  MUSA_REQUIRE(props.allocType == MU_MEM_ALLOCATION_TYPE_PINNED, MUSA_ERROR_INVALID_VALUE,
               "graphs allocate pinned memory only");
  MUSA_REQUIRE(props.handleTypes == MU_MEM_HANDLE_TYPE_NONE, MUSA_ERROR_NOT_SUPPORTED,
               "memory of graphs is not shared with other processes");
  MUSA_REQUIRE(props.location.type == MU_MEM_LOCATION_TYPE_DEVICE, MUSA_ERROR_INVALID_VALUE,
               "graphs allocate on devices only");
  DeviceState* device = driver().device(props.location.id);
  MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, fmt::format("no device {}", props.location.id));
  MUSA_REQUIRE(params.accessDescs || params.accessDescCount == 0, MUSA_ERROR_INVALID_VALUE, "null pointer");
  for (size_t i = 0; i < params.accessDescCount; ++i) {
    const MUmemAccessDesc& access = params.accessDescs[i];
    MUSA_REQUIRE(access.location.type == MU_MEM_LOCATION_TYPE_DEVICE, MUSA_ERROR_INVALID_VALUE,
                 "access by devices only");
    MUSA_TRY(findDevice(access.location.id, device));
    MUSA_REQUIRE(access.flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE, MUSA_ERROR_INVALID_VALUE,
                 "access is for reading and writing");
    work.access.push_back(access);
  }
  Context* owner = &context;
  if (context.device().ordinal() != props.location.id) {
    MUSA_TRY(findDevice(props.location.id, device));
    owner = device->activePrimary();
    MUSA_REQUIRE(owner, MUSA_ERROR_INVALID_DEVICE, "nothing uses the device that the memory shall be on");
  }
  MUSA_TRY(GraphMemory::create(*owner, params.bytesize, work.memory));
  work.described = params;
  work.described.dptr = work.memory->address();
  return {};
}

Result checkFreeWork(const Graph& graph, MUdeviceptr address) {
  auto memory = GraphMemory::find(address);
  MUSA_REQUIRE(memory, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{:#x} is no memory of an allocation node", address));
  for (GraphNode* node : graph.nodes()) {
    auto* other = node->as<FreeWork>();
    MUSA_REQUIRE(!other || other->address != address, MUSA_ERROR_INVALID_VALUE, "freed twice in the graph");
  }
  return {};
}

Result captureAllocation(Stream& stream, size_t bytes, MUdeviceptr& address) {
  GraphLock lock;
  MUSA_MEM_ALLOC_NODE_PARAMS params = {};
  params.poolProps.allocType = MU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = {MU_MEM_LOCATION_TYPE_DEVICE, stream.context().device().ordinal()};
  params.bytesize = bytes;
  AllocWork work;
  MUSA_TRY(makeAllocWork(stream.context(), params, work));
  MUdeviceptr made = work.memory->address();
  MUSA_TRY(captureWork(stream, std::move(work)));
  address = made;
  return {};
}

Result captureFree(Stream& stream, MUdeviceptr address) {
  GraphLock lock;
  CaptureSequence* sequence = stream.capture();
  if (sequence) MUSA_TRY(checkFreeWork(*sequence->graph, address));
  return captureWork(stream, FreeWork{address});
}

}  // namespace musashim::musa
