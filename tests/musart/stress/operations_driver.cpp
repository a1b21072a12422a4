// Modules, libraries, contexts, mapped memory, questions, mistakes.
#include <musa.h>

#include "worker.h"

namespace musashim::stress {

using test::kernels;

namespace {
const std::vector<std::byte>& bundle() {
  static const std::vector<std::byte> bytes = test::testBundle({220, 310});
  return bytes;
}
}  // namespace

void Worker::useModule() {
  if (below(4) != 0) return;  // slow
  MUmodule module = nullptr;
  MUfunction function = nullptr;
  STRESS_MU(muModuleLoadData(&module, bundle().data()));
  STRESS_MU(muModuleGetFunction(&function, module, "addOne"));
  finishOwnWork();
  int count = kValues, one = 1;
  void* arguments[] = {&buffer_, &count, &one};
  STRESS_MU(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, streams_[0], arguments, nullptr));
  ++value_;
  finishOwnWork();
  STRESS_MU(muModuleUnload(module));
}

void Worker::useLibrary() {
  if (below(4) != 0) return;
  MUlibrary library = nullptr;
  MUkernel kernel = nullptr;
  MUfunction function = nullptr;
  STRESS_MU(muLibraryLoadData(&library, bundle().data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  STRESS_MU(muLibraryGetKernel(&kernel, library, "empty"));
  STRESS_MU(muKernelGetFunction(&function, kernel));
  STRESS_MU(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, streams_[1], nullptr, nullptr));
  finishOwnWork();
  STRESS_MU(muLibraryUnload(library));
}

void Worker::useContext() {
  MUcontext context = nullptr, current = nullptr;
  STRESS_MU(muCtxCreate(&context, 0, device_));  // and pushes it
  STRESS_MU(muCtxGetCurrent(&current));
  STRESS_CHECK(current == context);
  MUstream stream = nullptr;
  MUdeviceptr memory = 0;
  unsigned value = 0;
  STRESS_MU(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
  STRESS_MU(muMemAlloc(&memory, 4096));
  STRESS_MU(muMemsetD32Async(memory, 42, 1024, stream));
  STRESS_MU(muStreamSynchronize(stream));
  STRESS_MU(muMemcpyDtoH(&value, memory + 400, sizeof value));
  STRESS_CHECK(value == 42);
  if (below(2) == 0) {  // else they go with the context
    STRESS_MU(muMemFree(memory));
    STRESS_MU(muStreamDestroy(stream));
  }
  STRESS_MU(muCtxPopCurrent(&current));
  STRESS_MU(muCtxDestroy(context));
}

void Worker::mapMemory() {
  MUmemAllocationProp properties = {};
  properties.type = MU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {MU_MEM_LOCATION_TYPE_DEVICE, device_};
  size_t unit = 0;
  STRESS_MU(muMemGetAllocationGranularity(&unit, &properties, MU_MEM_ALLOC_GRANULARITY_MINIMUM));
  MUmemGenericAllocationHandle memory = 0;
  MUdeviceptr address = 0;
  STRESS_MU(muMemCreate(&memory, unit, &properties, 0));
  STRESS_MU(muMemAddressReserve(&address, 2 * unit, 0, 0, 0));
  STRESS_MU(muMemMap(address, unit, 0, memory, 0));
  MUmemAccessDesc access = {properties.location, MU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  STRESS_MU(muMemSetAccess(address, unit, &access, 1));
  STRESS_MUSA(
      test::launch(kernels.fill, 1, kValues, 0, streams_[0], reinterpret_cast<int*>(address), kValues, 8));
  int value = 0;
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_MU(muMemcpyDtoH(&value, address + 4, sizeof value));
  STRESS_CHECK(value == 8);
  STRESS_MU(muMemUnmap(address, unit));
  STRESS_MU(muMemRelease(memory));
  STRESS_MU(muMemAddressFree(address, 2 * unit));
}

// Errors stay with their thread and their call.
void Worker::makeMistakes() {
  STRESS_CHECK(musaFree(buffer_ + 1) == musaErrorInvalidValue);
  STRESS_CHECK(musaMemset(buffer_, 0, 1u << 30) == musaErrorInvalidValue);
  STRESS_CHECK(musaStreamSynchronize(reinterpret_cast<musaStream_t>(0x1234)) != musaSuccess);
  STRESS_CHECK(test::launch(kernels.empty, 1, 2000, 0, streams_[0]) != musaSuccess);
  STRESS_CHECK(musaSetDevice(1000) == musaErrorInvalidDevice);
  STRESS_CHECK(musaPeekAtLastError() == musaErrorInvalidDevice);
  musaStream_t stream = nullptr;
  STRESS_MUSA(musaStreamCreate(&stream));
  STRESS_MUSA(musaStreamDestroy(stream));
  // The slot of an ended stream is used again late.
  STRESS_CHECK(musaStreamQuery(stream) != musaErrorNotReady);
  (void)musaGetLastError();
}

void Worker::askAboutDevices() {
  musaDeviceProp properties;
  int device = -1, blocks = 0, value = 0;
  STRESS_MUSA(musaGetDevice(&device));
  STRESS_CHECK(device == device_);
  STRESS_MUSA(musaGetDeviceProperties(&properties, device));
  STRESS_MUSA(musaDeviceGetAttribute(&value, musaDevAttrMultiProcessorCount, device));
  STRESS_CHECK(value == properties.multiProcessorCount);
  STRESS_MUSA(::musaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, static_cast<const void*>(&kernels.fill), 128, 0));
  STRESS_CHECK(blocks > 0);
  musaFuncAttributes attributes;
  STRESS_MUSA(::musaFuncGetAttributes(&attributes, static_cast<const void*>(&kernels.fill)));
  size_t limit = 0;
  STRESS_MUSA(musaDeviceGetLimit(&limit, musaLimitMallocHeapSize));
}

}  // namespace musashim::stress
