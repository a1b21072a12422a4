// Copies, fills, memory of every kind, textures.
#include <algorithm>
#include <cstring>
#include <memory>

#include "worker.h"

namespace musashim::stress {

using test::kernels;

namespace {
constexpr size_t kBytes = kValues * sizeof(int);

bool allAre(const int* values, int expected) {
  return std::all_of(values, values + kValues, [&](int value) { return value == expected; });
}
}  // namespace

void Worker::copy() {
  musaStream_t stream = anyOwnStream();
  finishOwnWork();
  value_ = static_cast<int>(below(1000));
  std::fill_n(pinned_, kValues, value_);
  STRESS_MUSA(musaMemcpyAsync(buffer_, pinned_, kBytes, musaMemcpyHostToDevice, stream));
  STRESS_MUSA(musaMemcpyAsync(pinned_, buffer_, kBytes, musaMemcpyDeviceToHost, stream));
  STRESS_MUSA(musaStreamSynchronize(stream));
  STRESS_CHECK(allAre(pinned_, value_));
  int pageable[kValues];
  STRESS_MUSA(musaMemcpy(pageable, shared().ones, kBytes, musaMemcpyDeviceToHost));
  STRESS_CHECK(allAre(pageable, 1));
  STRESS_MUSA(musaMemcpy2DAsync(pageable, 64, buffer_, 64, 32, kBytes / 64, musaMemcpyDefault, stream));
  STRESS_CHECK(pageable[0] == value_ && pageable[8] == 1);
}

void Worker::fill() {
  finishOwnWork();
  STRESS_MUSA(musaMemsetAsync(buffer_, 0, kBytes, anyOwnStream()));
  value_ = 0;
  finishOwnWork();
  if (below(4) == 0) checkBuffer();
}

void Worker::copyToPeer() {
  const int peer = static_cast<int>(below(test::kDevices));
  int *there = nullptr, values[kValues];
  STRESS_MUSA(musaSetDevice(peer));
  STRESS_MUSA(::musaMalloc(reinterpret_cast<void**>(&there), kBytes));
  STRESS_MUSA(musaSetDevice(device_));
  finishOwnWork();
  STRESS_MUSA(musaMemcpyPeerAsync(there, peer, buffer_, device_, kBytes, streams_[0]));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_MUSA(musaMemcpyPeer(there, peer, there, peer, kBytes));
  STRESS_MUSA(musaMemcpy(values, there, kBytes, musaMemcpyDefault));
  STRESS_CHECK(allAre(values, value_));
  STRESS_MUSA(musaFree(there));
  // Many threads at once: one of them is the first.
  if (peer == device_) return;
  musaError_t error = below(2) == 0 ? musaDeviceEnablePeerAccess(peer, 0) : musaDeviceDisablePeerAccess(peer);
  STRESS_CHECK(error == musaSuccess || error == musaErrorPeerAccessAlreadyEnabled ||
               error == musaErrorPeerAccessNotEnabled);
  (void)musaGetLastError();
}

void Worker::allocate() {
  void* pointers[4] = {};
  for (void*& pointer : pointers) STRESS_MUSA(::musaMalloc(&pointer, 1 + below(100'000)));
  size_t pitch = 0, free = 0, total = 0;
  void* pitched = nullptr;
  STRESS_MUSA(::musaMallocPitch(&pitched, &pitch, 1 + below(2000), 1 + below(30)));
  STRESS_MUSA(musaMemset2DAsync(pitched, pitch, 7, 1, 1, streams_[0]));
  STRESS_MUSA(musaMemGetInfo(&free, &total));
  STRESS_CHECK(free < total);
  for (void* pointer : pointers) STRESS_MUSA(musaFree(pointer));
  STRESS_MUSA(musaFree(pitched));
}

void Worker::allocateInStream() {
  int* memory = nullptr;
  musaStream_t stream = anyOwnStream();
  const bool fromPool = below(2) == 0;
  STRESS_MUSA(
      fromPool ? ::musaMallocFromPoolAsync(reinterpret_cast<void**>(&memory), kBytes, shared().pool, stream)
               : ::musaMallocAsync(reinterpret_cast<void**>(&memory), kBytes, stream));
  STRESS_MUSA(test::launch(kernels.fill, 1, kValues, 0, stream, memory, kValues, 3));
  int values[kValues];
  STRESS_MUSA(musaMemcpyAsync(values, memory, kBytes, musaMemcpyDeviceToHost, stream));
  STRESS_MUSA(musaFreeAsync(memory, stream));
  STRESS_MUSA(musaStreamSynchronize(stream));
  STRESS_CHECK(allAre(values, 3));
}

void Worker::allocateHost() {
  int* memory = nullptr;
  const unsigned flags = below(2) == 0 ? musaHostAllocMapped : musaHostAllocPortable;
  STRESS_MUSA(::musaHostAlloc(reinterpret_cast<void**>(&memory), kBytes, flags));
  STRESS_MUSA(test::launch(kernels.fill, 1, kValues, 0, streams_[0], memory, kValues, 9));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(allAre(memory, 9));
  STRESS_MUSA(musaFreeHost(memory));
}

void Worker::registerHost() {
  auto memory = std::make_unique<int[]>(4096);
  STRESS_MUSA(musaHostRegister(memory.get(), 4096 * sizeof(int), musaHostRegisterDefault));
  void* device = nullptr;
  STRESS_MUSA(::musaHostGetDevicePointer(&device, memory.get(), 0));
  STRESS_MUSA(test::launch(kernels.fill, 1, kValues, 0, streams_[0], device, kValues, 11));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(allAre(memory.get(), 11));
  STRESS_MUSA(musaHostUnregister(memory.get()));
}

void Worker::useManaged() {
  int* memory = nullptr;
  STRESS_MUSA(::musaMallocManaged(reinterpret_cast<void**>(&memory), kBytes));
  STRESS_MUSA(musaMemAdvise(memory, kBytes, musaMemAdviseSetReadMostly, device_));
  STRESS_MUSA(musaMemPrefetchAsync(memory, kBytes, device_, streams_[0]));
  STRESS_MUSA(test::launch(kernels.fill, 1, kValues, 0, streams_[0], memory, kValues, 5));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(allAre(memory, 5));
  STRESS_MUSA(musaFree(memory));
}

void Worker::useImages() {
  const musaChannelFormatDesc format = musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindSigned);
  musaArray_t array = nullptr;
  STRESS_MUSA(::musaMallocArray(&array, &format, 8, 8, musaArraySurfaceLoadStore));
  finishOwnWork();
  STRESS_MUSA(musaMemcpy2DToArray(array, 0, 0, buffer_, 32, 32, 8, musaMemcpyDeviceToDevice));
  STRESS_MUSA(musaMemcpy2DFromArray(pinned_, 32, array, 0, 0, 32, 8, musaMemcpyDeviceToHost));
  STRESS_CHECK(allAre(pinned_, value_));
  musaResourceDesc resource = {};
  resource.resType = musaResourceTypeArray;
  resource.res.array.array = array;
  musaTextureDesc texture = {};
  musaTextureObject_t object = 0;
  musaSurfaceObject_t surface = 0;
  STRESS_MUSA(musaCreateTextureObject(&object, &resource, &texture, nullptr));
  STRESS_MUSA(musaCreateSurfaceObject(&surface, &resource));
  musaResourceDesc back = {};
  STRESS_MUSA(musaGetTextureObjectResourceDesc(&back, object));
  STRESS_CHECK(back.res.array.array == array);
  STRESS_MUSA(musaDestroySurfaceObject(surface));
  STRESS_MUSA(musaDestroyTextureObject(object));
  STRESS_MUSA(musaFreeArray(array));
}

void Worker::usePool() {
  musaMemPool_t pool = nullptr, current = nullptr;
  musaMemPoolProps properties = {};
  properties.allocType = musaMemAllocationTypePinned;
  properties.location = {musaMemLocationTypeDevice, device_};
  // There are so many at once; threads that come too late go without.
  musaError_t made = musaMemPoolCreate(&pool, &properties);
  if (made == musaErrorMemoryAllocation) {
    (void)musaGetLastError();
    return;
  }
  STRESS_MUSA(made);
  uint64_t threshold = below(1 << 20);
  STRESS_MUSA(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  void* memory = nullptr;
  STRESS_MUSA(::musaMallocFromPoolAsync(&memory, kBytes, pool, streams_[0]));
  STRESS_MUSA(musaMemPoolDestroy(pool));  // it goes when its memory does
  STRESS_MUSA(musaFreeAsync(memory, streams_[0]));
  STRESS_MUSA(musaDeviceGetMemPool(&current, device_));
  STRESS_MUSA(musaMemPoolTrimTo(current, 0));
}

void Worker::askAboutPointers() {
  musaPointerAttributes attributes;
  STRESS_MUSA(musaPointerGetAttributes(&attributes, buffer_ + 1));
  STRESS_CHECK(attributes.type == musaMemoryTypeDevice && attributes.device == device_);
  STRESS_MUSA(musaPointerGetAttributes(&attributes, pinned_));
  STRESS_CHECK(attributes.type == musaMemoryTypeHost);
  int local = 0;
  STRESS_MUSA(musaPointerGetAttributes(&attributes, &local));
  STRESS_CHECK(attributes.type == musaMemoryTypeUnregistered);
}

}  // namespace musashim::stress
