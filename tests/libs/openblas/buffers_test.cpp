// The buffers that OpenBLAS gets from us instead of from its own allocator.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

extern "C" {
// By the linker's --wrap: a call in OpenBLAS of the name itself comes to __wrap_, and __real_ is OpenBLAS's
// own.
void* __wrap_blas_memory_alloc(int purpose);
void __wrap_blas_memory_free(void* buffer);
void* __real_blas_memory_alloc(int purpose);
void __real_blas_memory_free(void* buffer);

void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);

// What this program maps, and that it can be refused.
void* __real_mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset);
std::atomic<size_t> mappedLast{0};
std::atomic<int> refuseLarge{0};
void* __wrap_mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  mappedLast = bytes;
  if (refuseLarge > 0 && bytes > size_t{64} << 20) return MAP_FAILED;
  return __real_mmap(address, bytes, protection, flags, file, offset);
}
}

namespace {

constexpr size_t kBytes = size_t{128} << 20;

// Takes all the buffers that wait, so that the next ones have to be mapped; gives them back at its end.
class NoneIsLeft {
 public:
  NoneIsLeft() {
    for (;;) {
      mappedLast = 0;
      void* const buffer = __wrap_blas_memory_alloc(0);
      taken_.push_back(buffer);
      if (mappedLast != 0) return;
    }
  }
  ~NoneIsLeft() {
    for (void* const buffer : taken_) __wrap_blas_memory_free(buffer);
  }

 private:
  std::vector<void*> taken_;
};

TEST(Buffers, AreAsLargeAsOpenBlasHasThem) {
  mappedLast = 0;
  void* const its = __real_blas_memory_alloc(0);
  const size_t bytes = mappedLast;
  __real_blas_memory_free(its);
  EXPECT_GT(bytes, 0U);
  const NoneIsLeft none;
  mappedLast = 0;
  __wrap_blas_memory_free(__wrap_blas_memory_alloc(0));
  EXPECT_EQ(mappedLast, bytes);
}

TEST(Buffers, AreUsedAgain) {
  void* const first = __wrap_blas_memory_alloc(0);
  __wrap_blas_memory_free(first);
  mappedLast = 0;
  for (int i = 0; i < 100; ++i) {
    void* const buffer = __wrap_blas_memory_alloc(0);
    EXPECT_EQ(buffer, first);
    __wrap_blas_memory_free(buffer);
  }
  // A thread that has left none finds what others have left.
  std::thread([] { __wrap_blas_memory_free(__wrap_blas_memory_alloc(0)); }).join();
  EXPECT_EQ(mappedLast, 0U);
}

// More threads than there are places for buffers that wait.
TEST(Buffers, NoTwoThreadsHaveTheSame) {
  constexpr int kThreads = 100, kRounds = 300;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&wrong, i] {
      for (int round = 0; round < kRounds; ++round) {
        int* const buffers[] = {static_cast<int*>(__wrap_blas_memory_alloc(0)),
                                static_cast<int*>(__wrap_blas_memory_alloc(1))};
        for (int* const buffer : buffers) buffer[0] = buffer[kBytes / sizeof(int) - 1] = i;
        if (round % 8 == 0) std::this_thread::yield();
        for (int* const buffer : buffers) {
          if (buffer[0] != i || buffer[kBytes / sizeof(int) - 1] != i) ++wrong;
          __wrap_blas_memory_free(buffer);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// OpenBLAS's own frames are left by the exception, and it computes again afterwards.
TEST(Buffers, WantOfMemoryIsThrownThroughOpenBlas) {
  constexpr int kOrder = 200;
  const double one = 1, zero = 0;
  std::vector<double> a(kOrder * kOrder, 1), c(kOrder * kOrder);
  const auto multiply = [&] {
    dgemm_("N", "N", &kOrder, &kOrder, &kOrder, &one, a.data(), &kOrder, a.data(), &kOrder, &zero, c.data(),
           &kOrder);
  };
  {
    const NoneIsLeft none;
    refuseLarge = 1;
    EXPECT_THROW(multiply(), std::bad_alloc);
    int info = 0;
    EXPECT_THROW(dpotrf_("L", &kOrder, a.data(), &kOrder, &info), std::bad_alloc);
    refuseLarge = 0;
  }
  std::fill(a.begin(), a.end(), 1);
  multiply();
  for (const double value : c) ASSERT_EQ(value, kOrder);
}

}  // namespace
