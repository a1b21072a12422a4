// Peers, symbols and stream-ordered memory.
#include "../support.h"

namespace musashim::test {
namespace {

using PeerTest = RuntimeTest;

TEST_F(PeerTest, AccessRules) {
  int can = -1;
  EXPECT_MUSA(musaSuccess, musaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_MUSA(musaSuccess, musaDeviceCanAccessPeer(&can, 1, 1));
  EXPECT_EQ(can, 0);
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceCanAccessPeer(&can, 0, kDevices));
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceCanAccessPeer(nullptr, 0, 1));
  EXPECT_MUSA(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceEnablePeerAccess(1, 5));
  EXPECT_MUSA(musaErrorPeerAccessUnsupported, musaDeviceEnablePeerAccess(0, 0));
  EXPECT_MUSA(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(0));
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceDisablePeerAccess(99));
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(99, 0));
  EXPECT_MUSA(musaSuccess, musaDeviceEnablePeerAccess(1, 0));
  EXPECT_MUSA(musaErrorPeerAccessAlreadyEnabled, musaDeviceEnablePeerAccess(1, 0));
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  EXPECT_MUSA(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(0)) << "access has a direction";
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  EXPECT_MUSA(musaSuccess, musaDeviceDisablePeerAccess(1));
  EXPECT_MUSA(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
}

TEST_F(PeerTest, CopiesBetweenDevices) {
  Buffer<int> first(1000);
  first.upload(std::vector<int>(1000, 6));
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  Buffer<int> second(1000);
  EXPECT_MUSA(musaSuccess, musaMemcpyPeer(second.get(), 1, first.get(), 0, first.bytes()));
  EXPECT_EQ(second.download(), std::vector<int>(1000, 6));
  EXPECT_MUSA(musaSuccess, musaMemset(second.get(), 0, second.bytes()));
  EXPECT_MUSA(musaSuccess, musaMemcpyPeerAsync(second.get(), 1, first.get(), 0, first.bytes(), nullptr));
  EXPECT_EQ(second.download(), std::vector<int>(1000, 6));
  EXPECT_MUSA(musaErrorInvalidDevice, musaMemcpyPeer(second.get(), 9, first.get(), 0, 4));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpyPeer(second.get(), 1, first.get(), 0, first.bytes() + 1));
}

TEST_F(PeerTest, FillsNeedAccess) {
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  Buffer<int> other(16);
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemset(other.get(), 1, other.bytes()));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemsetAsync(other.get(), 1, other.bytes(), nullptr));
  ASSERT_MUSA(musaSuccess, musaDeviceEnablePeerAccess(1, 0));
  EXPECT_MUSA(musaSuccess, musaMemset(other.get(), 1, other.bytes()));
  EXPECT_EQ(other.download(), std::vector<int>(16, 0x01010101));
  ASSERT_MUSA(musaSuccess, musaDeviceDisablePeerAccess(1));
}

// musaMemcpyPeer comes after what was queued on the other device, and before what follows.
TEST_F(PeerTest, PeerCopiesAreInOrderWithBothDevices) {
  Buffer<int> first(1);
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  Buffer<int> second(1);
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(nullptr));
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, nullptr, first.get(), 1, 4));
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  ASSERT_MUSA(musaSuccess, musaMemcpyPeer(second.get(), 1, first.get(), 0, sizeof(int)));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(nullptr));
  flag.raise();
  EXPECT_EQ(second.download(), std::vector<int>{4});
}

using SymbolTest = RuntimeTest;

TEST_F(SymbolTest, EachDeviceHasItsOwnVariables) {
  int counter = 0;
  for (int device = 0; device < 2; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    ASSERT_MUSA(musaSuccess, musaDeviceReset());
    Buffer<int> out(6);
    int value = 100 * (device + 1);
    EXPECT_MUSA(musaSuccess, musaMemcpyFromSymbol(&counter, variables.counter, 4, 0, musaMemcpyDeviceToHost));
    EXPECT_EQ(counter, 5) << "its initial value";
    EXPECT_MUSA(musaSuccess, musaMemcpyToSymbol(variables.counter, &value, 4, 0, musaMemcpyHostToDevice));
    ASSERT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, nullptr, out.get()));
    EXPECT_EQ(out.download()[0], value);
    EXPECT_MUSA(musaSuccess, musaMemcpyFromSymbol(&counter, variables.counter, 4, 0, musaMemcpyDeviceToHost));
    EXPECT_EQ(counter, value + 1);
  }
}

TEST_F(SymbolTest, RangesAndErrors) {
  int two[2] = {20, 30};
  Buffer<int> out(6);
  EXPECT_MUSA(musaSuccess, ::musaMemcpyToSymbol(variables.table, two, 8, 4, musaMemcpyHostToDevice));
  ASSERT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, nullptr, out.get()));
  std::vector<int> values = out.download();
  EXPECT_EQ(std::vector<int>(values.begin() + 1, values.begin() + 5), (std::vector<int>{1, 20, 30, 4}));
  size_t size = 0;
  void* address = nullptr;
  EXPECT_MUSA(musaSuccess, ::musaGetSymbolSize(&size, variables.table));
  EXPECT_EQ(size, 16u);
  EXPECT_MUSA(musaSuccess, ::musaGetSymbolAddress(&address, variables.table));
  EXPECT_MUSA(musaSuccess, musaMemset(address, 0, 16));
  EXPECT_MUSA(musaErrorInvalidValue,
              ::musaMemcpyToSymbol(variables.table, two, 8, 12, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaErrorInvalidSymbol, ::musaMemcpyToSymbol(two, two, 8, 0, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaErrorInvalidSymbol, ::musaGetSymbolAddress(&address, two));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaGetSymbolAddress(nullptr, variables.table));
  EXPECT_MUSA(musaErrorInvalidMemcpyDirection,
              ::musaMemcpyToSymbol(variables.table, two, 8, 0, musaMemcpyDeviceToHost));
  EXPECT_MUSA(musaErrorInvalidMemcpyDirection,
              ::musaMemcpyFromSymbol(two, variables.table, 8, 0, musaMemcpyHostToDevice));
}

TEST_F(SymbolTest, ManagedVariablesAreShared) {
  int before = *variables.managedCounter;
  for (int device = 0; device < kDevices; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    Buffer<int> out(6);
    ASSERT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, nullptr, out.get()));
    EXPECT_EQ(out.download()[5], before + device);
  }
  EXPECT_EQ(*variables.managedCounter, before + kDevices);
  *variables.managedCounter = 7;
  Buffer<int> out(6);
  ASSERT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, nullptr, out.get()));
  EXPECT_EQ(out.download()[5], 7);
}

TEST_F(SymbolTest, ManagedVariablesStartAfreshAfterAReset) {
  *variables.managedCounter = 1;
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_EQ(*variables.managedCounter, 40);
  for (int device : {0, 1}) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    Buffer<int> out(6);
    ASSERT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, nullptr, out.get()));
    EXPECT_EQ(out.download()[5], 40 + device);
  }
}

using PoolTest = RuntimeTest;

TEST_F(PoolTest, MemoryComesAndGoesInStreamOrder) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  musaMemPool_t pool = nullptr;
  ASSERT_MUSA(musaSuccess, musaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long used = 1;
  int* memory = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMallocAsync(reinterpret_cast<void**>(&memory), 4000, stream));
  EXPECT_MUSA(musaSuccess, musaMemPoolGetAttribute(pool, musaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(used, 4000u);
  {
    SpinFlag flag;
    ASSERT_MUSA(musaSuccess, flag.startOn(stream));
    ASSERT_MUSA(musaSuccess, launch(kernels.fill, 4, 256, 0, stream, memory, 1000, 3));
    EXPECT_MUSA(musaSuccess, musaFreeAsync(memory, stream));
    EXPECT_MUSA(musaErrorInvalidValue, musaFreeAsync(memory, stream)) << "twice";
    EXPECT_MUSA(musaErrorInvalidValue, musaFree(memory)) << "on its way";
    flag.raise();
    EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream)) << "the kernel still had its memory";
  }
  EXPECT_MUSA(musaSuccess, musaMemPoolGetAttribute(pool, musaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(used, 0u);
  int local = 0;
  EXPECT_MUSA(musaErrorInvalidValue, musaFreeAsync(&local, stream));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaMallocAsync(nullptr, 4, stream));
  EXPECT_MUSA(musaErrorMemoryAllocation,
              ::musaMallocAsync(reinterpret_cast<void**>(&memory), size_t{1} << 50, stream));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(PoolTest, Attributes) {
  musaMemPool_t pool = nullptr;
  unsigned long long threshold = 1 << 20, back = 0;
  ASSERT_MUSA(musaSuccess, musaDeviceGetDefaultMemPool(&pool, 1));
  EXPECT_MUSA(musaSuccess, musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_MUSA(musaSuccess, musaMemPoolGetAttribute(pool, musaMemPoolAttrReleaseThreshold, &back));
  EXPECT_EQ(back, threshold);
  EXPECT_MUSA(musaErrorInvalidValue,
              musaMemPoolSetAttribute(pool, musaMemPoolAttrUsedMemCurrent, &threshold));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemPoolTrimTo(reinterpret_cast<musaMemPool_t>(&threshold), 0));
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceGetDefaultMemPool(&pool, 99));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemPoolDestroy(pool)) << "the default one";
}

}  // namespace
}  // namespace musashim::test
