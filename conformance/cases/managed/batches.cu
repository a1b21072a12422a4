// Prefetches and discards of managed memory, many in one call.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("managed.batches");

namespace {

cudaMemLocation onDevice(int id) {
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  place.id = id;
  return place;
}

int lastPrefetch(const void* pointer, size_t bytes) {
  int place = -7;
  SETUP(cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, pointer,
                                 bytes));
  return place;
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  constexpr size_t kBytes = 4 << 20;
  char *first = nullptr, *second = nullptr, *plain = nullptr;
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&first), kBytes));
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&second), kBytes));
  SETUP(cudaMalloc(reinterpret_cast<void**>(&plain), kBytes));
  for (size_t i = 0; i < kBytes; ++i) first[i] = second[i] = 5;

  void* pointers[2] = {first, second};
  size_t sizes[2] = {kBytes, kBytes};
  cudaMemLocation places[2] = {onDevice(0), onDevice(0)};
  places[1].type = cudaMemLocationTypeHost;
  size_t begins[2] = {0, 1};
  OBSERVE("prefetch", cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, begins, 2, 0, stream));
  OBSERVE("prefetch_done", cudaStreamSynchronize(stream));
  OBSERVE("first_place", lastPrefetch(first, kBytes));
  OBSERVE("second_place", lastPrefetch(second, kBytes));
  OBSERVE("prefetch_one_place", cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, begins, 1, 0, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("second_place_after", lastPrefetch(second, kBytes));
  OBSERVE("value_kept", static_cast<int>(first[0] + second[kBytes - 1]));

  OBSERVE("prefetch_flags", cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, begins, 2, 1, stream));
  OBSERVE("prefetch_null_stream",
          cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, begins, 2, 0, nullptr));
  OBSERVE("prefetch_none", cudaMemPrefetchBatchAsync(pointers, sizes, 0, places, begins, 2, 0, stream));
  OBSERVE("prefetch_null_pointers",
          cudaMemPrefetchBatchAsync(static_cast<void**>(nullptr), sizes, 2, places, begins, 2, 0, stream));
  OBSERVE("prefetch_null_sizes",
          cudaMemPrefetchBatchAsync(pointers, nullptr, 2, places, begins, 2, 0, stream));
  OBSERVE("prefetch_no_places", cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, begins, 0, 0, stream));
  OBSERVE("prefetch_many_places",
          cudaMemPrefetchBatchAsync(pointers, sizes, 1, places, begins, 2, 0, stream));
  size_t late[2] = {1, 1};
  OBSERVE("prefetch_late_begin", cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, late, 1, 0, stream));
  size_t equal[2] = {0, 0};
  OBSERVE("prefetch_equal_begins",
          cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, equal, 2, 0, stream));
  cudaMemLocation nowhere = onDevice(99);
  OBSERVE("prefetch_device_unknown",
          cudaMemPrefetchBatchAsync(pointers, sizes, 2, &nowhere, begins, 1, 0, stream));
  nowhere.type = cudaMemLocationTypeInvalid;
  OBSERVE("prefetch_no_place", cudaMemPrefetchBatchAsync(pointers, sizes, 2, &nowhere, begins, 1, 0, stream));
  void* deviceMemory[1] = {plain};
  OBSERVE("prefetch_device_memory",
          cudaMemPrefetchBatchAsync(deviceMemory, sizes, 1, places, begins, 1, 0, stream));
  size_t nothing[2] = {0, kBytes}, much[2] = {kBytes, 64 * kBytes};
  OBSERVE("prefetch_no_bytes", cudaMemPrefetchBatchAsync(pointers, nothing, 2, places, begins, 2, 0, stream));
  OBSERVE("prefetch_past", cudaMemPrefetchBatchAsync(pointers, much, 2, places, begins, 2, 0, stream));

  OBSERVE("discard", cudaMemDiscardBatchAsync(pointers, sizes, 2, 0, stream));
  OBSERVE("discard_done", cudaStreamSynchronize(stream));
  first[0] = second[0] = 7;
  OBSERVE("written_after", static_cast<int>(first[0] + second[0]));
  OBSERVE("discard_flags", cudaMemDiscardBatchAsync(pointers, sizes, 2, 1, stream));
  OBSERVE("discard_null_stream", cudaMemDiscardBatchAsync(pointers, sizes, 2, 0, nullptr));
  OBSERVE("discard_none", cudaMemDiscardBatchAsync(pointers, sizes, 0, 0, stream));
  OBSERVE("discard_null_pointers", cudaMemDiscardBatchAsync(nullptr, sizes, 2, 0, stream));
  OBSERVE("discard_null_sizes", cudaMemDiscardBatchAsync(pointers, nullptr, 2, 0, stream));
  OBSERVE("discard_device_memory", cudaMemDiscardBatchAsync(deviceMemory, sizes, 1, 0, stream));
  OBSERVE("discard_past", cudaMemDiscardBatchAsync(pointers, much, 2, 0, stream));
  OBSERVE("both", cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, 2, places, begins, 2, 0, stream));
  OBSERVE("both_done", cudaStreamSynchronize(stream));
  OBSERVE("both_first_place", lastPrefetch(first, kBytes));
  OBSERVE("both_flags",
          cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, 2, places, begins, 2, 1, stream));
  OBSERVE("both_no_places",
          cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, 2, places, begins, 0, 0, stream));
  OBSERVE("last", cudaDeviceSynchronize());
}
