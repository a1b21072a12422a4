// Many threads at once: what ThreadSanitizer watches.
#include <musa.h>

#include <atomic>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

using ThreadTest = RuntimeTest;

template <class Body>
void onThreads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ThreadTest, EachOnItsOwnDeviceAndStream) {
  onThreads(2 * kDevices, [](int i) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(i % kDevices));
    musaStream_t stream = nullptr;
    ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
    int* values = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaMalloc(reinterpret_cast<void**>(&values), 400));
    ASSERT_MUSA(musaSuccess, musaMemsetAsync(values, 0, 400, stream));
    for (int k = 0; k < 100; ++k)
      ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, stream, values, 100, 1));
    std::vector<int> back(100);
    ASSERT_MUSA(musaSuccess, musaMemcpyAsync(back.data(), values, 400, musaMemcpyDeviceToHost, stream));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(stream));
    EXPECT_EQ(back, std::vector<int>(100, 100));
    EXPECT_MUSA(musaSuccess, musaFree(values));
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  });
}

// Made before the thread's first call, so destroyed after what the library would have made by then.
struct FreedAtThreadEnd {
  int* memory = nullptr;
  std::atomic<int>* failures = nullptr;

  ~FreedAtThreadEnd() {
    if (memory == nullptr) return;
    const musaError_t errors[] = {launch(kernels.addOne, 1, 1, 0, musaStreamPerThread, memory, 1, 1),
                                  musaStreamSynchronize(musaStreamPerThread), musaFree(memory)};
    for (const musaError_t error : errors) *failures += error != musaSuccess;
  }
};
thread_local FreedAtThreadEnd freedAtThreadEnd;

TEST_F(ThreadTest, ObjectsOfThreadsUseTheRuntimeAsTheyEnd) {
  std::atomic<int> failures{0};
  for (int round = 0; round < 50; ++round) {
    onThreads(2, [&](int) {
      FreedAtThreadEnd& object = freedAtThreadEnd;
      object.failures = &failures;
      failures += ::musaMalloc(reinterpret_cast<void**>(&object.memory), 64) != musaSuccess;
      failures += launch(kernels.empty, 1, 1, 0, musaStreamPerThread) != musaSuccess;
    });
  }
  EXPECT_EQ(failures, 0);
}

// The runtime's kernels, in whatever context is the thread's.
TEST_F(ThreadTest, KernelsRunInContextsOfTheDriver) {
  const auto addsOne = [](int expected) {
    int* value = nullptr;
    int back = -1;
    EXPECT_MUSA(musaSuccess, ::musaMalloc(reinterpret_cast<void**>(&value), sizeof(int)));
    EXPECT_MUSA(musaSuccess, musaMemset(value, 0, sizeof(int)));
    EXPECT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, nullptr, value, 1, 1));
    EXPECT_MUSA(musaSuccess, musaMemcpy(&back, value, sizeof back, musaMemcpyDeviceToHost));
    EXPECT_EQ(back, expected);
    EXPECT_MUSA(musaSuccess, musaFree(value));
  };
  addsOne(1);
  for (int round = 0; round < 5; ++round) {
    MUcontext context = nullptr;
    ASSERT_EQ(MUSA_SUCCESS, muCtxCreate(&context, 0, 0));
    addsOne(1);
    ASSERT_EQ(MUSA_SUCCESS, muCtxDestroy(context));
    ASSERT_MUSA(musaSuccess, musaSetDevice(0));
    addsOne(1);
  }
}

TEST_F(ThreadTest, SharedStreamsLegacyAndPerThread) {
  musaStream_t shared = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&shared));
  int* value = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMalloc(reinterpret_cast<void**>(&value), sizeof(int)));
  ASSERT_MUSA(musaSuccess, musaMemset(value, 0, sizeof(int)));
  onThreads(4, [&](int i) {
    musaStream_t streams[] = {shared, nullptr, musaStreamPerThread};
    for (int k = 0; k < 60; ++k) {
      // Additions race unless the legacy stream orders them: only it and one other take part.
      if (i < 2) ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, streams[i], value, 1, 1));
      if (i >= 2) ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, streams[2]));
      if (k % 16 == 0) ASSERT_MUSA(musaSuccess, musaStreamSynchronize(streams[k % 3]));
    }
  });
  int back = 0;
  ASSERT_MUSA(musaSuccess, musaMemcpy(&back, value, sizeof back, musaMemcpyDeviceToHost));
  EXPECT_EQ(back, 120);
  EXPECT_MUSA(musaSuccess, musaFree(value));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(shared));
}

TEST_F(ThreadTest, EventsRecordedAndWaitedForByMany) {
  musaEvent_t event = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaEventCreate(&event));
  onThreads(4, [&](int) {
    musaStream_t stream = nullptr;
    ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
    for (int k = 0; k < 100; ++k) {
      ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
      ASSERT_MUSA(musaSuccess, musaEventRecord(event, stream));
      ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(stream, event, 0));
      musaError_t query = musaEventQuery(event);
      EXPECT_TRUE(query == musaSuccess || query == musaErrorNotReady) << musaGetErrorName(query);
    }
    EXPECT_MUSA(musaSuccess, musaEventSynchronize(event));
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  });
  EXPECT_MUSA(musaSuccess, musaEventDestroy(event));
}

TEST_F(ThreadTest, FirstUseOfDeviceCodeByMany) {
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  std::atomic<int> ready{0};
  onThreads(8, [&](int) {
    ready.fetch_add(1);
    while (ready.load() < 8) std::this_thread::yield();
    EXPECT_MUSA(musaSuccess, launch(kernels.bounded, 1, 32, 0, musaStreamPerThread));
    EXPECT_MUSA(musaSuccess, musaStreamSynchronize(musaStreamPerThread));
  });
}

// Frees wait for all work of all contexts, which others make and end.
TEST_F(ThreadTest, ContextsEndWhileOthersWait) {
  onThreads(4, [](int i) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(0));
    for (int k = 0; k < 100; ++k) {
      if (i < 2) {
        MUcontext context = nullptr;
        MUdeviceptr memory = 0;
        ASSERT_EQ(muCtxCreate(&context, 0, 0), MUSA_SUCCESS);
        ASSERT_EQ(muMemAlloc(&memory, 4096), MUSA_SUCCESS);
        ASSERT_EQ(muMemsetD8Async(memory, 1, 4096, nullptr), MUSA_SUCCESS);
        ASSERT_EQ(muCtxDestroy(context), MUSA_SUCCESS);
      } else {
        void* memory = nullptr;
        ASSERT_MUSA(musaSuccess, ::musaMallocHost(&memory, 4096));
        ASSERT_MUSA(musaSuccess, musaFreeHost(memory));
        ASSERT_MUSA(musaSuccess, ::musaMalloc(&memory, 4096));
        ASSERT_MUSA(musaSuccess, musaMemset(memory, 1, 4096)) << "not given away by another context's end";
        ASSERT_MUSA(musaSuccess, musaFree(memory));
      }
    }
  });
}

TEST_F(ThreadTest, LastErrorsAreTheThreadsOwn) {
  EXPECT_MUSA(musaErrorInvalidDevice, musaSetDevice(50));
  onThreads(2, [](int i) {
    EXPECT_MUSA(musaSuccess, musaPeekAtLastError());
    EXPECT_MUSA(musaErrorInvalidValue, musaMemset(nullptr, 0, 4 + i));
    EXPECT_MUSA(musaErrorInvalidValue, musaGetLastError());
  });
  EXPECT_MUSA(musaErrorInvalidDevice, musaGetLastError());
}

}  // namespace
}  // namespace musashim::test
