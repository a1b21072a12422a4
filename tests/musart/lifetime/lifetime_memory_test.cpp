// Memory, images and code, made and ended again and again.
#include <musa.h>
#include <unistd.h>

#include <memory>

#include "lifetime_support.h"

namespace musashim::test {
namespace {

#define ASSERT_MU(call) ASSERT_EQ(MUSA_SUCCESS, call) << #call

class LifetimeOfMemoryTest : public LifetimeTest {};

TEST_F(LifetimeOfMemoryTest, Allocations) {
  cycle([] {
    void* pointer = nullptr;
    size_t pitch = 0;
    ASSERT_MUSA(musaSuccess, ::musaMalloc(&pointer, 100'000));
    ASSERT_MUSA(musaSuccess, musaFree(pointer));
    ASSERT_MUSA(musaSuccess, ::musaMallocPitch(&pointer, &pitch, 100, 100));
    ASSERT_MUSA(musaSuccess, musaFree(pointer));
    ASSERT_MUSA(musaSuccess, ::musaMallocHost(&pointer, 100'000));
    ASSERT_MUSA(musaSuccess, musaFreeHost(pointer));
    ASSERT_MUSA(musaSuccess, ::musaMallocManaged(&pointer, 5000));
    ASSERT_MUSA(musaSuccess, musaMemAdvise(pointer, 5000, musaMemAdviseSetReadMostly, 0));
    ASSERT_MUSA(musaSuccess, musaFree(pointer));
  });
}

TEST_F(LifetimeOfMemoryTest, AllocationsInStreamOrder) {
  cycle([] {
    void* pointer = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaMallocAsync(&pointer, 70'000, nullptr));
    ASSERT_MUSA(musaSuccess, musaMemsetAsync(pointer, 0, 100, nullptr));
    ASSERT_MUSA(musaSuccess, musaFreeAsync(pointer, nullptr));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  });
}

TEST_F(LifetimeOfMemoryTest, Registrations) {
  auto memory = std::make_unique<char[]>(1 << 16);
  cycle([&] {
    ASSERT_MUSA(musaSuccess, musaHostRegister(memory.get(), 1 << 16, musaHostRegisterDefault));
    ASSERT_MUSA(musaSuccess, musaHostUnregister(memory.get()));
  });
}

TEST_F(LifetimeOfMemoryTest, Pools) {
  cycle([] {
    musaMemPoolProps properties = {};
    properties.allocType = musaMemAllocationTypePinned;
    properties.location = {musaMemLocationTypeDevice, 0};
    musaMemPool_t pool = nullptr;
    void* pointer = nullptr;
    ASSERT_MUSA(musaSuccess, musaMemPoolCreate(&pool, &properties));
    ASSERT_MUSA(musaSuccess, ::musaMallocFromPoolAsync(&pointer, 1000, pool, nullptr));
    ASSERT_MUSA(musaSuccess, musaMemPoolDestroy(pool));
    ASSERT_MUSA(musaSuccess, musaFreeAsync(pointer, nullptr));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  });
}

TEST_F(LifetimeOfMemoryTest, PoolsOfSeveralProcesses) {
  cycle(
      [] {
        musaMemPoolProps properties = {};
        properties.allocType = musaMemAllocationTypePinned;
        properties.handleTypes = musaMemHandleTypePosixFileDescriptor;
        properties.location = {musaMemLocationTypeDevice, 0};
        musaMemPool_t pool = nullptr;
        void* pointer = nullptr;
        int descriptor = -1;
        musaMemPoolPtrExportData data;
        ASSERT_MUSA(musaSuccess, musaMemPoolCreate(&pool, &properties));
        ASSERT_MUSA(musaSuccess, musaMemPoolExportToShareableHandle(&descriptor, pool,
                                                                    musaMemHandleTypePosixFileDescriptor, 0));
        ASSERT_MUSA(musaSuccess, ::musaMallocFromPoolAsync(&pointer, 1000, pool, nullptr));
        ASSERT_MUSA(musaSuccess, musaMemPoolExportPointer(&data, pointer));
        ASSERT_MUSA(musaSuccess, musaFreeAsync(pointer, nullptr));
        ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
        ASSERT_MUSA(musaSuccess, musaMemPoolDestroy(pool));
        close(descriptor);
      },
      Cost::kExpensive);
}

TEST_F(LifetimeOfMemoryTest, HandlesOfMemory) {
  cycle([] {
    void* pointer = nullptr;
    musaIpcMemHandle_t handle;
    ASSERT_MUSA(musaSuccess, ::musaMalloc(&pointer, 4096));
    ASSERT_MUSA(musaSuccess, musaIpcGetMemHandle(&handle, pointer));
    ASSERT_MUSA(musaSuccess, musaFree(pointer));
  });
}

TEST_F(LifetimeOfMemoryTest, ArraysTexturesSurfaces) {
  const musaChannelFormatDesc format = musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat);
  cycle([&] {
    musaArray_t array = nullptr;
    musaMipmappedArray_t mipmaps = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaMallocArray(&array, &format, 16, 16, musaArraySurfaceLoadStore));
    ASSERT_MUSA(musaSuccess, musaMallocMipmappedArray(&mipmaps, &format, make_musaExtent(16, 16, 0), 3, 0));
    musaArray_t level = nullptr;
    ASSERT_MUSA(musaSuccess, musaGetMipmappedArrayLevel(&level, mipmaps, 1));
    musaResourceDesc resource = {};
    resource.resType = musaResourceTypeArray;
    resource.res.array.array = array;
    musaTextureDesc description = {};
    musaTextureObject_t texture = 0;
    musaSurfaceObject_t surface = 0;
    ASSERT_MUSA(musaSuccess, musaCreateTextureObject(&texture, &resource, &description, nullptr));
    ASSERT_MUSA(musaSuccess, musaCreateSurfaceObject(&surface, &resource));
    ASSERT_MUSA(musaSuccess, musaDestroyTextureObject(texture));
    ASSERT_MUSA(musaSuccess, musaDestroySurfaceObject(surface));
    ASSERT_MUSA(musaSuccess, musaFreeMipmappedArray(mipmaps));
    ASSERT_MUSA(musaSuccess, musaFreeArray(array));
  });
}

TEST_F(LifetimeOfMemoryTest, MappedMemory) {
  MUmemAllocationProp properties = {};
  properties.type = MU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.requestedHandleTypes = MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  size_t unit = 0;
  ASSERT_MU(muMemGetAllocationGranularity(&unit, &properties, MU_MEM_ALLOC_GRANULARITY_MINIMUM));
  cycle(
      [&] {
        MUmemGenericAllocationHandle memory = 0, imported = 0;
        MUdeviceptr address = 0;
        int descriptor = -1;
        MUmemAccessDesc access = {properties.location, MU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        ASSERT_MU(muMemCreate(&memory, unit, &properties, 0));
        ASSERT_MU(
            muMemExportToShareableHandle(&descriptor, memory, MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
        ASSERT_MU(muMemImportFromShareableHandle(&imported,
                                                 reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                                                 MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
        close(descriptor);
        ASSERT_MU(muMemAddressReserve(&address, 2 * unit, 0, 0, 0));
        ASSERT_MU(muMemMap(address, unit, 0, memory, 0));
        ASSERT_MU(muMemMap(address + unit, unit, 0, imported, 0));
        ASSERT_MU(muMemSetAccess(address, 2 * unit, &access, 1));
        ASSERT_MU(muMemsetD8(address + unit, 1, 16));
        ASSERT_MU(muMemUnmap(address, 2 * unit));
        ASSERT_MU(muMemAddressFree(address, 2 * unit));
        ASSERT_MU(muMemRelease(imported));
        ASSERT_MU(muMemRelease(memory));
      },
      Cost::kExpensive);
}

TEST_F(LifetimeOfMemoryTest, ModulesAndLibraries) {
  const std::vector<std::byte> bundle = testBundle({220, 310});
  cycle(
      [&] {
        MUmodule module = nullptr;
        MUlibrary library = nullptr;
        MUfunction function = nullptr;
        MUkernel kernel = nullptr;
        MUdeviceptr counter = 0;
        ASSERT_MU(muModuleLoadData(&module, bundle.data()));
        ASSERT_MU(muModuleGetFunction(&function, module, "empty"));
        ASSERT_MU(muModuleGetGlobal(&counter, nullptr, module, "counter"));
        ASSERT_MU(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
        ASSERT_MU(muModuleUnload(module));
        ASSERT_MU(muLibraryLoadData(&library, bundle.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        ASSERT_MU(muLibraryGetKernel(&kernel, library, "fill"));
        ASSERT_MU(muLibraryUnload(library));
      },
      Cost::kExpensive);
}

TEST_F(LifetimeOfMemoryTest, Contexts) {
  cycle(
      [] {
        MUcontext context = nullptr;
        MUstream stream = nullptr;
        MUdeviceptr memory = 0;
        ASSERT_MU(muCtxCreate(&context, 0, 1));
        ASSERT_MU(muStreamCreate(&stream, 0));
        ASSERT_MU(muMemAlloc(&memory, 1 << 20));
        ASSERT_MU(muMemsetD8Async(memory, 1, 1 << 20, stream));
        ASSERT_MU(muCtxDestroy(context));  // and all that is in it
      },
      Cost::kExpensive);
}

TEST_F(LifetimeOfMemoryTest, Devices) {
  cycle(
      [] {
        ASSERT_MUSA(musaSuccess, musaSetDevice(2));
        Buffer<int> buffer(1000);
        ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 32, 0, nullptr, buffer.get(), 32, 1));
        ASSERT_MUSA(musaSuccess, musaDeviceReset());
        ASSERT_MUSA(musaSuccess, musaSetDevice(0));
      },
      Cost::kExpensive);
  (void)musaGetLastError();
}

}  // namespace
}  // namespace musashim::test
