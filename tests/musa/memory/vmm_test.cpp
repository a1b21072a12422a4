// Memory mapped at reserved addresses: by several threads, twice, and after its handle is gone.
#include <musa.h>

#include <thread>

#include "support.h"

namespace musashim::test {
namespace {

#define EXPECT_MU(expected, call) EXPECT_EQ(expected, call) << #call
#define ASSERT_MU(expected, call) ASSERT_EQ(expected, call) << #call

class VmmTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_MUSA(musaSuccess, musaFree(nullptr));
    ASSERT_MU(MUSA_SUCCESS,
              muMemGetAllocationGranularity(&unit_, &properties(0), MU_MEM_ALLOC_GRANULARITY_MINIMUM));
  }

  static MUmemAllocationProp& properties(int device) {
    static thread_local MUmemAllocationProp result;
    result = {};
    result.type = MU_MEM_ALLOCATION_TYPE_PINNED;
    result.location = {MU_MEM_LOCATION_TYPE_DEVICE, device};
    return result;
  }

  static void allow(MUdeviceptr address, size_t bytes, MUmemAccess_flags flags, int device = 0) {
    MUmemAccessDesc access = {{MU_MEM_LOCATION_TYPE_DEVICE, device}, flags};
    ASSERT_MU(MUSA_SUCCESS, muMemSetAccess(address, bytes, &access, 1));
  }

  size_t unit_ = 0;
};

TEST_F(VmmTest, OneMemoryAtTwoAddressesOutlivesItsHandle) {
  MUmemGenericAllocationHandle memory = 0;
  MUdeviceptr first = 0, second = 0;
  ASSERT_MU(MUSA_SUCCESS, muMemCreate(&memory, unit_, &properties(0), 0));
  ASSERT_MU(MUSA_SUCCESS, muMemAddressReserve(&first, unit_, 0, 0, 0));
  ASSERT_MU(MUSA_SUCCESS, muMemAddressReserve(&second, unit_, 0, 0, 0));
  for (MUdeviceptr address : {first, second}) {
    ASSERT_MU(MUSA_SUCCESS, muMemMap(address, unit_, 0, memory, 0));
    allow(address, unit_, MU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
  ASSERT_MU(MUSA_SUCCESS, muMemRelease(memory));
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 128, 0, nullptr, reinterpret_cast<int*>(first), 100, 77));
  int value = 0;
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(&value, second + 40, sizeof value));
  EXPECT_EQ(value, 77);
  EXPECT_MU(MUSA_SUCCESS, muMemUnmap(first, unit_));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemcpyDtoH(&value, first, sizeof value));
  value = 0;
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(&value, second + 40, sizeof value));
  EXPECT_EQ(value, 77);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemAddressFree(second, unit_)) << "still mapped";
  EXPECT_MU(MUSA_SUCCESS, muMemUnmap(second, unit_));
  EXPECT_MU(MUSA_SUCCESS, muMemAddressFree(first, unit_));
  EXPECT_MU(MUSA_SUCCESS, muMemAddressFree(second, unit_));
}

TEST_F(VmmTest, AccessIsNeededAndCanBeTaken) {
  MUmemGenericAllocationHandle memory = 0;
  MUdeviceptr address = 0;
  int value = 5;
  ASSERT_MU(MUSA_SUCCESS, muMemCreate(&memory, unit_, &properties(1), 0));
  ASSERT_MU(MUSA_SUCCESS, muMemAddressReserve(&address, unit_, 0, 0, 0));
  ASSERT_MU(MUSA_SUCCESS, muMemMap(address, unit_, 0, memory, 0));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoD(address, &value, sizeof value));
  allow(address, unit_, MU_MEM_ACCESS_FLAGS_PROT_READWRITE, 1);
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyHtoD(address, &value, sizeof value));
  value = 0;
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(&value, address, sizeof value));
  EXPECT_EQ(value, 5);
  unsigned long long flags = 0;
  MUmemLocation place = {MU_MEM_LOCATION_TYPE_DEVICE, 1};
  EXPECT_MU(MUSA_SUCCESS, muMemGetAccess(&flags, &place, address));
  EXPECT_EQ(flags, static_cast<unsigned long long>(MU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  allow(address, unit_, MU_MEM_ACCESS_FLAGS_PROT_NONE, 1);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoD(address, &value, sizeof value));
  EXPECT_MU(MUSA_SUCCESS, muMemUnmap(address, unit_));
  EXPECT_MU(MUSA_SUCCESS, muMemAddressFree(address, unit_));
  EXPECT_MU(MUSA_SUCCESS, muMemRelease(memory));
}

TEST_F(VmmTest, ManyThreadsMapAndUnmap) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      ASSERT_MUSA(musaSuccess, musaSetDevice(i));
      ASSERT_MUSA(musaSuccess, musaFree(nullptr));
      MUdeviceptr address = 0;
      ASSERT_MU(MUSA_SUCCESS, muMemAddressReserve(&address, 3 * unit_, 0, 0, 0));
      for (int round = 0; round < 20; ++round) {
        MUmemGenericAllocationHandle memory = 0;
        ASSERT_MU(MUSA_SUCCESS, muMemCreate(&memory, unit_, &properties(i), 0));
        const MUdeviceptr at = address + static_cast<size_t>(round % 3) * unit_;
        ASSERT_MU(MUSA_SUCCESS, muMemMap(at, unit_, 0, memory, 0));
        ASSERT_MU(MUSA_SUCCESS, muMemRelease(memory));
        allow(at, unit_, MU_MEM_ACCESS_FLAGS_PROT_READWRITE, i);
        int value = -1;
        ASSERT_MU(MUSA_SUCCESS, muMemcpyDtoH(&value, at + 100, sizeof value));
        EXPECT_EQ(value, 0) << "fresh memory, not another thread's";
        ASSERT_MU(MUSA_SUCCESS, muMemsetD8(at, 0x11, 200));
        ASSERT_MU(MUSA_SUCCESS, muMemUnmap(at, unit_));
      }
      ASSERT_MU(MUSA_SUCCESS, muMemAddressFree(address, 3 * unit_));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace musashim::test
