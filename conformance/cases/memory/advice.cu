// Managed memory: advice, prefetches, and what a range says of itself.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.advice");

static cudaMemLocation at(cudaMemLocationType type, int id = 0) {
  cudaMemLocation location = {};
  location.type = type;
  location.id = id;
  return location;
}

static std::string attribute(cudaMemRangeAttribute what, const void* memory, size_t bytes) {
  int value = -99;
  const cudaError_t error = cudaMemRangeGetAttribute(&value, sizeof value, what, memory, bytes);
  return error == cudaSuccess ? std::to_string(value) : observedText(error);
}

int main() {
  const size_t bytes = 8 << 20;
  char* memory = nullptr;
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&memory), bytes));
  const cudaMemLocation device = at(cudaMemLocationTypeDevice), host = at(cudaMemLocationTypeHost);
  OBSERVE("fresh.read_mostly", attribute(cudaMemRangeAttributeReadMostly, memory, bytes));
  OBSERVE("fresh.preferred", attribute(cudaMemRangeAttributePreferredLocation, memory, bytes));
  OBSERVE("fresh.accessed_by", attribute(cudaMemRangeAttributeAccessedBy, memory, bytes));
  OBSERVE("fresh.last_prefetch", attribute(cudaMemRangeAttributeLastPrefetchLocation, memory, bytes));

  OBSERVE("read_mostly", cudaMemAdvise(memory, bytes, cudaMemAdviseSetReadMostly, device));
  OBSERVE("read_mostly.value", attribute(cudaMemRangeAttributeReadMostly, memory, bytes));
  OBSERVE("read_mostly_off_half", cudaMemAdvise(memory, bytes / 2, cudaMemAdviseUnsetReadMostly, device));
  OBSERVE("read_mostly_off_half.all", attribute(cudaMemRangeAttributeReadMostly, memory, bytes));
  OBSERVE("read_mostly_off_half.second",
          attribute(cudaMemRangeAttributeReadMostly, memory + bytes / 2, bytes / 2));
  OBSERVE("prefer_device", cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, device));
  OBSERVE("prefer_device.value", attribute(cudaMemRangeAttributePreferredLocation, memory, bytes));
  OBSERVE("prefer_host", cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, host));
  OBSERVE("prefer_host.value", attribute(cudaMemRangeAttributePreferredLocation, memory, bytes));
  OBSERVE("prefer_nothing", cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetPreferredLocation, device));
  OBSERVE("prefer_nothing.value", attribute(cudaMemRangeAttributePreferredLocation, memory, bytes));
  OBSERVE("accessed_by", cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device));
  OBSERVE("accessed_by.value", attribute(cudaMemRangeAttributeAccessedBy, memory, bytes));
  OBSERVE("accessed_by_off", cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetAccessedBy, device));
  OBSERVE("accessed_by_off.value", attribute(cudaMemRangeAttributeAccessedBy, memory, bytes));

  OBSERVE("prefetch_device", cudaMemPrefetchAsync(memory, bytes, device, 0, nullptr));
  OBSERVE("prefetch_device.value", attribute(cudaMemRangeAttributeLastPrefetchLocation, memory, bytes));
  OBSERVE("prefetch_host_half", cudaMemPrefetchAsync(memory, bytes / 2, host, 0, nullptr));
  OBSERVE("prefetch_host_half.first",
          attribute(cudaMemRangeAttributeLastPrefetchLocation, memory, bytes / 2));
  OBSERVE("prefetch_host_half.all", attribute(cudaMemRangeAttributeLastPrefetchLocation, memory, bytes));

  // Arguments.
  void *plain = nullptr, *pinned = nullptr;
  SETUP(cudaMalloc(&plain, 4096));
  SETUP(cudaMallocHost(&pinned, 4096));
  OBSERVE("advise_device_memory", cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device));
  OBSERVE("advise_pinned", cudaMemAdvise(pinned, 4096, cudaMemAdviseSetReadMostly, device));
  OBSERVE("advise_null", cudaMemAdvise(nullptr, 4096, cudaMemAdviseSetReadMostly, device));
  OBSERVE("advise_zero", cudaMemAdvise(memory, 0, cudaMemAdviseSetReadMostly, device));
  OBSERVE("advise_past", cudaMemAdvise(memory, bytes + (4 << 20), cudaMemAdviseSetReadMostly, device));
  OBSERVE("advise_unknown", cudaMemAdvise(memory, bytes, static_cast<cudaMemoryAdvise>(77), device));
  OBSERVE("advise_device_unknown", cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation,
                                                 at(cudaMemLocationTypeDevice, 1000)));
  OBSERVE("advise_location_invalid",
          cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, at(cudaMemLocationTypeInvalid)));
  OBSERVE("prefetch_device_memory", cudaMemPrefetchAsync(plain, 4096, device, 0, nullptr));
  OBSERVE("prefetch_null", cudaMemPrefetchAsync(nullptr, 4096, device, 0, nullptr));
  OBSERVE("prefetch_zero", cudaMemPrefetchAsync(memory, 0, device, 0, nullptr));
  OBSERVE("prefetch_past", cudaMemPrefetchAsync(memory, bytes + (4 << 20), device, 0, nullptr));
  OBSERVE("prefetch_flags", cudaMemPrefetchAsync(memory, bytes, device, 1, nullptr));
  OBSERVE("prefetch_device_unknown",
          cudaMemPrefetchAsync(memory, bytes, at(cudaMemLocationTypeDevice, 1000), 0, nullptr));
  OBSERVE("prefetch_location_invalid",
          cudaMemPrefetchAsync(memory, bytes, at(cudaMemLocationTypeInvalid), 0, nullptr));
  OBSERVE("attribute_device_memory", attribute(cudaMemRangeAttributeReadMostly, plain, 4096));
  OBSERVE("attribute_past", attribute(cudaMemRangeAttributeReadMostly, memory, bytes + (4 << 20)));
  OBSERVE("attribute_zero", attribute(cudaMemRangeAttributeReadMostly, memory, 0));
  OBSERVE("attribute_unknown", attribute(static_cast<cudaMemRangeAttribute>(77), memory, bytes));
  int values[4] = {-99, -99, -99, -99};
  OBSERVE("attribute_short",
          cudaMemRangeGetAttribute(values, 2, cudaMemRangeAttributeReadMostly, memory, bytes));
  OBSERVE("attribute_null",
          cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, memory, bytes));
  SETUP(cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device));
  SETUP(cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, host));
  OBSERVE("accessed_by_two",
          cudaMemRangeGetAttribute(values, sizeof values, cudaMemRangeAttributeAccessedBy, memory, bytes));
  OBSERVE("accessed_by_two.values", std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
                                        std::to_string(values[2]) + "," + std::to_string(values[3]));
  void* pointers[2] = {&values[0], &values[1]};
  size_t sizes[2] = {4, 4};
  cudaMemRangeAttribute wanted[2] = {cudaMemRangeAttributeReadMostly,
                                     cudaMemRangeAttributeLastPrefetchLocation};
  OBSERVE("attributes", cudaMemRangeGetAttributes(pointers, sizes, wanted, 2, memory, bytes));
  OBSERVE("attributes.values", std::to_string(values[0]) + "," + std::to_string(values[1]));
  OBSERVE("attributes_none", cudaMemRangeGetAttributes(pointers, sizes, wanted, 0, memory, bytes));
  OBSERVE("last", cudaDeviceSynchronize());
}
