#include <cstring>
#include <numeric>

#include "../support.h"

namespace musashim::test {
namespace {

using MemoryTest = RuntimeTest;

TEST_F(MemoryTest, CopiesRoundTripInAllSizes) {
  for (size_t count : {size_t{1}, size_t{3}, size_t{1000}, size_t{1} << 20}) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 7);
    Buffer<int> a(count), b(count);
    a.upload(values);
    EXPECT_MUSA(musaSuccess, musaMemcpy(b.get(), a.get(), a.bytes(), musaMemcpyDeviceToDevice));
    EXPECT_EQ(b.download(), values);
  }
}

TEST_F(MemoryTest, DefaultDirectionComesFromThePointers) {
  Buffer<int> device(4);
  std::vector<int> host{1, 2, 3, 4}, back(4);
  EXPECT_MUSA(musaSuccess, musaMemcpy(device.get(), host.data(), 16, musaMemcpyDefault));
  EXPECT_MUSA(musaSuccess, musaMemcpy(back.data(), device.get(), 16, musaMemcpyDefault));
  EXPECT_EQ(back, host);
  EXPECT_MUSA(musaSuccess,
              musaMemcpy(back.data(), std::vector<int>{9, 9, 9, 9}.data(), 16, musaMemcpyHostToHost));
  EXPECT_EQ(back[3], 9);
}

// A stream that does not wait for the default one overtakes nothing that small: neither a fill nor a copy
// between devices' memory.
TEST_F(MemoryTest, ShortWorkOfTheDefaultStreamIsDoneWhenTheCallReturns) {
  Buffer<int> place(16), zeros(16);
  musaStream_t other = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  ASSERT_MUSA(musaSuccess, musaMemset(zeros.get(), 0, zeros.bytes()));
  ASSERT_MUSA(musaSuccess, musaDeviceSynchronize());
  for (int round = 1; round <= 300; ++round) {
    if (round % 2 == 0) {
      ASSERT_MUSA(musaSuccess, musaMemset(place.get(), 0, place.bytes()));
    } else {
      ASSERT_MUSA(musaSuccess, musaMemcpy(place.get(), zeros.get(), place.bytes(), musaMemcpyDeviceToDevice));
    }
    ASSERT_MUSA(musaSuccess,
                musaMemcpyAsync(place.get(), &round, sizeof round, musaMemcpyHostToDevice, other));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(other));
    ASSERT_MUSA(musaSuccess, musaDeviceSynchronize());
    ASSERT_EQ(place.download()[0], round);
  }
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
}

TEST_F(MemoryTest, RefusesBadCopies) {
  Buffer<int> device(4);
  int host[8] = {};
  struct {
    const char* error;
    musaError_t result;
  } rows[] = {
      {"musaErrorInvalidMemcpyDirection", musaMemcpy(device.get(), host, 4, static_cast<musaMemcpyKind>(9))},
      {"musaErrorInvalidValue", musaMemcpy(host, host + 4, 4, musaMemcpyHostToDevice)},
      {"musaErrorInvalidValue", musaMemcpy(host, host + 4, 4, musaMemcpyDeviceToHost)},
      {"musaErrorInvalidValue", musaMemcpy(device.get(), host, 32, musaMemcpyHostToDevice)},
      {"musaErrorInvalidValue", musaMemcpy(device.get() + 3, host, 8, musaMemcpyHostToDevice)},
      {"musaErrorInvalidValue", musaMemcpy(device.get(), nullptr, 8, musaMemcpyHostToDevice)},
      {"musaErrorInvalidValue", musaMemset(device.get(), 0, 17)},
      {"musaErrorInvalidValue", musaMemset(host, 0, 4)},
      {"musaErrorInvalidValue", musaMemcpy(host, device.get(), 4, musaMemcpyHostToDevice)},
      {"musaErrorInvalidValue", musaMemcpy(host, host + 4, 4, musaMemcpyDeviceToDevice)},
      {"musaSuccess", musaMemcpy(device.get(), device.get() + 2, 8, musaMemcpyHostToDevice)},
      {"musaSuccess", musaMemcpy(device.get(), nullptr, 0, musaMemcpyHostToDevice)},
      {"musaSuccess", musaMemcpy(device.get(), host, 0, static_cast<musaMemcpyKind>(9))},
      {"musaSuccess", musaMemset(device.get(), 0, 0)},
  };
  for (const auto& row : rows) EXPECT_STREQ(row.error, musaGetErrorName(row.result));
}

TEST_F(MemoryTest, AllocationAndFreeRules) {
  void* pointer = &pointer;
  EXPECT_MUSA(musaSuccess, ::musaMalloc(&pointer, 0));
  EXPECT_EQ(pointer, nullptr);
  EXPECT_MUSA(musaSuccess, musaFree(nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaMalloc(nullptr, 4));
  EXPECT_MUSA(musaErrorMemoryAllocation, ::musaMalloc(&pointer, size_t{1} << 50));
  EXPECT_MUSA(musaErrorMemoryAllocation, musaGetLastError());
  int local = 0;
  EXPECT_MUSA(musaErrorInvalidValue, musaFree(&local));
  ASSERT_MUSA(musaSuccess, ::musaMalloc(&pointer, 64));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
  EXPECT_MUSA(musaErrorInvalidValue, musaFree(static_cast<char*>(pointer) + 16));
  EXPECT_MUSA(musaErrorInvalidValue, musaFreeHost(pointer));
  EXPECT_MUSA(musaSuccess, musaFree(pointer));
  EXPECT_MUSA(musaErrorInvalidValue, musaFree(pointer));
}

TEST_F(MemoryTest, FreeOfAnotherDevicesMemory) {
  void* pointer = nullptr;
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  ASSERT_MUSA(musaSuccess, ::musaMalloc(&pointer, 64));
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  EXPECT_MUSA(musaSuccess, musaFree(pointer));
}

// As given, and always mapped (recorded: memory.host_alloc_flags).
TEST_F(MemoryTest, FlagsOfPageLockedMemory) {
  for (unsigned given = 0; given < 8; ++given) {
    void* host = nullptr;
    unsigned flags = 99;
    ASSERT_MUSA(musaSuccess, ::musaHostAlloc(&host, 5000, given));
    EXPECT_MUSA(musaSuccess, musaHostGetFlags(&flags, host));
    EXPECT_EQ(flags, given | musaHostAllocMapped);
    EXPECT_MUSA(musaSuccess, musaFreeHost(host));
    if ((given & musaHostAllocWriteCombined) != 0) continue;  // no flag of a registration
    std::vector<char> own(5000);
    ASSERT_MUSA(musaSuccess, musaHostRegister(own.data(), own.size(), given));
    EXPECT_MUSA(musaSuccess, musaHostGetFlags(&flags, own.data()));
    EXPECT_EQ(flags, given | musaHostAllocMapped);
    EXPECT_MUSA(musaSuccess, musaHostUnregister(own.data()));
  }
}

TEST_F(MemoryTest, PageLockedMemory) {
  void *host = nullptr, *device = nullptr;
  unsigned flags = 0;
  EXPECT_MUSA(musaErrorInvalidValue, ::musaHostAlloc(&host, 64, 0x100));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaHostAlloc(nullptr, 64, 0));
  ASSERT_MUSA(musaSuccess, ::musaHostAlloc(&host, 64, musaHostAllocPortable | musaHostAllocMapped));
  EXPECT_MUSA(musaSuccess, musaHostGetFlags(&flags, host));
  EXPECT_EQ(flags, musaHostAllocPortable | musaHostAllocMapped);
  EXPECT_MUSA(musaSuccess, ::musaHostGetDevicePointer(&device, host, 0));
  EXPECT_EQ(device, host);
  EXPECT_MUSA(musaErrorInvalidValue, ::musaHostGetDevicePointer(&device, host, 1));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaHostGetDevicePointer(&device, &flags, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaFree(host));
  EXPECT_MUSA(musaSuccess, musaFreeHost(host));
  EXPECT_MUSA(musaErrorInvalidValue, musaFreeHost(host));
  EXPECT_MUSA(musaSuccess, musaFreeHost(nullptr));
}

TEST_F(MemoryTest, RegisteredMemory) {
  std::vector<int> memory(1024, 3);
  EXPECT_MUSA(musaErrorInvalidValue, musaHostRegister(nullptr, 4, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaHostRegister(memory.data(), 0, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaHostRegister(memory.data(), 4, 0x40));
  ASSERT_MUSA(musaSuccess, musaHostRegister(memory.data(), 4096, musaHostRegisterDefault));
  EXPECT_MUSA(musaErrorHostMemoryAlreadyRegistered, musaHostRegister(memory.data() + 512, 64, 0));
  ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, nullptr, memory.data(), 1024, 4));
  EXPECT_MUSA(musaErrorInvalidValue, musaHostUnregister(memory.data() + 4));
  EXPECT_MUSA(musaSuccess, musaHostUnregister(memory.data()));
  EXPECT_EQ(memory[1023], 7) << "unregistering waits for kernels";
  EXPECT_MUSA(musaErrorHostMemoryNotRegistered, musaHostUnregister(memory.data()));
  EXPECT_MUSA(musaErrorInvalidValue, musaHostUnregister(nullptr));
}

TEST_F(MemoryTest, PointerAttributes) {
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  Buffer<int> device(16);
  musaPointerAttributes attributes;
  EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, device.get() + 5));
  EXPECT_EQ(attributes.type, musaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(attributes.devicePointer, device.get() + 5);
  EXPECT_EQ(attributes.hostPointer, nullptr);

  void *host = nullptr, *managed = nullptr;
  ASSERT_MUSA(musaSuccess, musaMallocHost(&host, 16));
  EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, host));
  EXPECT_EQ(attributes.type, musaMemoryTypeHost);
  EXPECT_EQ(attributes.hostPointer, host);
  ASSERT_MUSA(musaSuccess, ::musaMallocManaged(&managed, 16, musaMemAttachGlobal));
  EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, managed));
  EXPECT_EQ(attributes.type, musaMemoryTypeManaged);
  EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, &host));
  EXPECT_EQ(attributes.type, musaMemoryTypeUnregistered);
  EXPECT_EQ(attributes.device, musaInvalidDeviceId);
  EXPECT_MUSA(musaErrorInvalidValue, musaPointerGetAttributes(nullptr, host));
  EXPECT_MUSA(musaSuccess, musaFreeHost(host));
  EXPECT_MUSA(musaSuccess, musaFree(managed));
}

TEST_F(MemoryTest, ManagedMemoryIsSharedByAll) {
  int* values = nullptr;
  EXPECT_MUSA(musaSuccess, ::musaMallocManaged(reinterpret_cast<void**>(&values), 0, musaMemAttachGlobal));
  EXPECT_EQ(values, nullptr);
  EXPECT_MUSA(musaErrorInvalidValue, ::musaMallocManaged(reinterpret_cast<void**>(&values), 4, 0x10));
  ASSERT_MUSA(musaSuccess, ::musaMallocManaged(reinterpret_cast<void**>(&values), 400, musaMemAttachGlobal));
  std::fill_n(values, 100, 1);
  for (int device = 0; device < kDevices; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    EXPECT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, nullptr, values, 100, 1));
    EXPECT_MUSA(musaSuccess, musaMemPrefetchAsync(values, 400, device, nullptr));
    EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  }
  EXPECT_EQ(values[99], 1 + kDevices);
  EXPECT_MUSA(musaErrorInvalidDevice, musaMemPrefetchAsync(values, 400, 77, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemPrefetchAsync(values, 401, 0, nullptr));
  EXPECT_MUSA(musaSuccess, musaMemAdvise(values, 400, musaMemAdviseSetReadMostly, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemAdvise(values, 400, static_cast<musaMemoryAdvise>(50), 0));
  EXPECT_MUSA(musaSuccess, musaFree(values));
}

// Pageable sources may be reused as soon as the call returns, in any size.
TEST_F(MemoryTest, AsynchronousCopiesFromPageableMemory) {
  for (size_t count : {size_t{16}, size_t{1} << 18}) {
    musaStream_t stream = nullptr;
    ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
    Buffer<int> device(count);
    std::vector<int> source(count, 5);
    SpinFlag flag;
    if (count == 16)
      ASSERT_MUSA(musaSuccess, flag.startOn(stream));  // staged: returns although the stream is busy
    ASSERT_MUSA(musaSuccess,
                musaMemcpyAsync(device.get(), source.data(), device.bytes(), musaMemcpyHostToDevice, stream));
    std::fill(source.begin(), source.end(), 6);
    flag.raise();
    std::vector<int> back(count);
    ASSERT_MUSA(musaSuccess,
                musaMemcpyAsync(back.data(), device.get(), device.bytes(), musaMemcpyDeviceToHost, stream));
    EXPECT_EQ(back, std::vector<int>(count, 5)) << "a pageable target is written when the call returns";
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  }
}

TEST_F(MemoryTest, PinnedCopiesDoNotWait) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  int* host = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMallocHost(reinterpret_cast<void**>(&host), sizeof(int)));
  Buffer<int> device(1);
  device.upload({11});
  *host = 0;
  {
    SpinFlag flag;
    ASSERT_MUSA(musaSuccess, flag.startOn(stream));
    ASSERT_MUSA(musaSuccess,
                musaMemcpyAsync(host, device.get(), sizeof(int), musaMemcpyDeviceToHost, stream));
    EXPECT_EQ(*host, 0);
    EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(stream));
    flag.raise();
    EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  }
  EXPECT_EQ(*host, 11);
  EXPECT_MUSA(musaSuccess, musaFreeHost(host));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(MemoryTest, OnlyMemoryCanBeRegistered) {
  auto* nowhere = reinterpret_cast<void*>(uintptr_t{0x1000});
  EXPECT_MUSA(musaErrorInvalidValue, musaHostRegister(nowhere, 4096, musaHostRegisterDefault));
  std::vector<char> memory(1 << 20);
  EXPECT_MUSA(musaErrorInvalidValue,
              musaHostRegister(memory.data(), size_t{1} << 46, musaHostRegisterDefault));
  EXPECT_MUSA(musaErrorInvalidValue, musaHostRegister(memory.data(), SIZE_MAX, musaHostRegisterDefault));
  EXPECT_MUSA(musaSuccess, musaHostRegister(memory.data(), memory.size(), musaHostRegisterDefault));
  EXPECT_MUSA(musaSuccess, musaHostUnregister(memory.data()));
}

// Freed in stream order: at once when the stream has nothing else to do, else in its turn.
TEST_F(MemoryTest, StreamOrderedFreesComeInTheirTurn) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  musaPointerAttributes attributes;
  int* memory = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMallocAsync(reinterpret_cast<void**>(&memory), 4096, stream));
  EXPECT_MUSA(musaSuccess, musaFreeAsync(memory, stream));
  EXPECT_MUSA(musaErrorInvalidValue, musaFreeAsync(memory, stream)) << "twice";
  ASSERT_MUSA(musaSuccess, ::musaMallocAsync(reinterpret_cast<void**>(&memory), 4096, stream));
  {
    SpinFlag flag;
    ASSERT_MUSA(musaSuccess, flag.startOn(stream));
    ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, stream, memory, 1, 5));
    EXPECT_MUSA(musaSuccess, musaFreeAsync(memory, stream));
    EXPECT_MUSA(musaErrorInvalidValue, musaFreeAsync(memory, stream)) << "twice";
    EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, memory));
    EXPECT_EQ(attributes.type, musaMemoryTypeDevice) << "the kernel before it still writes there";
  }
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, memory));
  EXPECT_EQ(attributes.type, musaMemoryTypeUnregistered);
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  (void)musaGetLastError();
}

TEST_F(MemoryTest, TypedFormsOfTheHeader) {
  float *device = nullptr, *host = nullptr, *managed = nullptr;
  EXPECT_MUSA(musaSuccess, musaMalloc(&device, 16));
  EXPECT_MUSA(musaSuccess, musaMallocHost(&host, 16));
  EXPECT_MUSA(musaSuccess, musaMallocManaged(&managed, 16));
  EXPECT_MUSA(musaSuccess, musaFree(device));
  EXPECT_MUSA(musaSuccess, musaFreeHost(host));
  EXPECT_MUSA(musaSuccess, musaFree(managed));
}

// What is to be read during the call is read then, though the stream gets there later.
TEST_F(MemoryTest, BatchesReadTheirSourcesWhenTheyAreTold) {
  int* pinned = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMallocHost(reinterpret_cast<void**>(&pinned), 2 * sizeof(int)));
  Buffer<int> numbers(2);
  pinned[0] = pinned[1] = 1;
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(stream));
  void* to[] = {numbers.get(), numbers.get() + 1};
  void* from[] = {pinned, pinned + 1};
  size_t sizes[] = {sizeof(int), sizeof(int)}, begins[] = {0, 1};
  musaMemcpyAttributes when[2] = {};
  when[0].srcAccessOrder = musaMemcpySrcAccessOrderDuringApiCall;
  when[1].srcAccessOrder = musaMemcpySrcAccessOrderStream;
  EXPECT_MUSA(musaSuccess, ::musaMemcpyBatchAsync(to, from, sizes, 2, when, begins, 2,
                                                  static_cast<size_t*>(nullptr), stream));
  pinned[0] = pinned[1] = 2;
  flag.raise();
  ASSERT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  EXPECT_EQ(numbers.download(), (std::vector<int>{1, 2}));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  EXPECT_MUSA(musaSuccess, musaFreeHost(pinned));
}

}  // namespace
}  // namespace musashim::test
