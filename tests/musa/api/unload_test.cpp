// A program may load the libraries by name and let go of them while the emulated devices'
// threads live: their code has to stay.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "musa_runtime_api.h"

namespace musashim::test {
namespace {

template <class Function>
Function* find(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  EXPECT_NE(symbol, nullptr) << name;
  return reinterpret_cast<Function*>(symbol);
}

// Fills a little memory on a stream without waiting.
void use(void* library) {
  auto* allocate = find<decltype(::musaMalloc)>(library, "musaMalloc");
  auto* createStream = find<decltype(musaStreamCreate)>(library, "musaStreamCreate");
  auto* fill = find<decltype(musaMemsetAsync)>(library, "musaMemsetAsync");
  constexpr size_t kBytes = 1 << 20;
  void* memory = nullptr;
  musaStream_t stream = nullptr;
  ASSERT_EQ(musaSuccess, allocate(&memory, kBytes));
  ASSERT_EQ(musaSuccess, createStream(&stream));
  for (int i = 0; i < 20; ++i) ASSERT_EQ(musaSuccess, fill(memory, i, kBytes, stream));
}

void loadUseAndUnload() {
  void* library = dlopen(TEST_MUSART, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  // On a thread of its own: thread-local objects of a living thread would keep the library.
  std::thread(use, library).join();
  ASSERT_EQ(0, dlclose(library));
}

TEST(Unload, WorkerThreadsOutliveTheLibrarysHandle) {
  loadUseAndUnload();
  // Whatever the threads do next, at work, in light sleep or in deep sleep, needs their code.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  loadUseAndUnload();
}

}  // namespace
}  // namespace musashim::test
