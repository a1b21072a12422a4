// Calls that the vendor's headers lack, which a project declares in a namespace of its own: there they mean
// the project's, elsewhere the runtime's, with all that a function can be used for. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

namespace project {
musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode*) { return musaErrorNotSupported; }
musaError_t musaMallocAsync(void**, size_t, musaStream_t) { return musaErrorNotSupported; }
musaError_t musaFreeAsync(void*, musaStream_t) { return musaErrorNotSupported; }
musaError_t musaMemPoolTrimTo(musaMemPool_t, size_t) { return musaErrorNotSupported; }
musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t*, int) { return musaErrorNotSupported; }
musaError_t musaMemPoolGetAttribute(musaMemPool_t, enum musaMemPoolAttr, void*) {
  return musaErrorNotSupported;
}
musaError_t musaMemPoolSetAttribute(musaMemPool_t, enum musaMemPoolAttr, void*) {
  return musaErrorNotSupported;
}
musaError_t musaStreamGetCaptureInfo(musaStream_t, enum musaStreamCaptureStatus*, unsigned long long*) {
  return musaErrorNotSupported;
}

int itsOwn() {
  musaStreamCaptureMode mode = musaStreamCaptureModeRelaxed;
  musaStreamCaptureStatus status;
  musaStream_t stream = nullptr;
  musaMemPool_t pool = nullptr;
  void* memory = nullptr;
  unsigned long long id = 0;
  const musaMemPoolAttr attribute = musaMemPoolAttrReleaseThreshold;
  int own = 0;
  for (const musaError_t error :
       {musaThreadExchangeStreamCaptureMode(&mode), musaMallocAsync(&memory, 4, stream),
        musaFreeAsync(memory, stream), musaMemPoolTrimTo(pool, 0), musaDeviceGetDefaultMemPool(&pool, 0),
        musaMemPoolGetAttribute(pool, attribute, &id), musaMemPoolSetAttribute(pool, attribute, &id),
        musaStreamGetCaptureInfo(stream, &status, &id)})
    own += error == musaErrorNotSupported;
  return own;
}
}  // namespace project

namespace other {
using ::musaFreeAsync;
template <class T>
musaError_t release(T* memory) {
  return musaFreeAsync(memory, musaStream_t());
}
struct Pool {
  musaError_t musaFreeAsync(void* memory) { return ::musaFreeAsync(memory, nullptr); }
};
}  // namespace other

// As headers of before declare them.
extern "C" musaError_t musaFreeAsync(void* devPtr, musaStream_t hStream);

int main() {
  musaError_t (*const release)(void*, musaStream_t) = &musaFreeAsync;
  const auto same = &::musaFreeAsync;
  float* numbers = nullptr;
  void* memory = nullptr;
  musaStreamCaptureStatus status = musaStreamCaptureStatusActive;
  musaMemPool_t pool = nullptr;
  int good = project::itsOwn() == 8 && release == same;
  for (const musaError_t error :
       {musaMallocAsync(&numbers, 64, 0), ::musaMallocAsync(&memory, 64, 0), other::release(numbers),
        other::Pool().musaFreeAsync(memory), musaStreamGetCaptureInfo(0, &status),
        musaDeviceGetDefaultMemPool(&pool, 0), musaMallocAsync(&numbers, 64, pool, 0), release(numbers, 0),
        ::musaMallocFromPoolAsync(&numbers, 64, pool, 0), release(numbers, 0), musaMemPoolTrimTo(pool, 0),
        musaDeviceSynchronize()})
    good += error == musaSuccess;
  std::printf("%d of 13\n", good);
  return good == 13 && status == musaStreamCaptureStatusNone ? 0 : 1;
}
