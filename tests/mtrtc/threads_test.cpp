// Many at once, many after another.
#include <unistd.h>

#include <fstream>
#include <thread>

#include "support.h"

namespace {

using namespace musashim::test;

size_t residentKibibytes() {
  std::ifstream file("/proc/self/statm");
  size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(MtrtcThreads, EightCompileAtOnce) {
  constexpr int kThreads = 8, kEach = 3;
  std::vector<std::string> images(kThreads * kEach);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&images, thread] {
      for (int i = 0; i < kEach; ++i) {
        const int number = thread * kEach + i;
        const bool isBad = number % 4 == 3;
        const Program program("extern \"C\" __global__ void k(int* out) { __shared__ int s[2]; s[0] = " +
                                  std::to_string(number) + "; __syncthreads(); *out = s[0]" +
                                  (isBad ? " + unknown" : "") + "; }",
                              {}, number % 2 == 0);
        const mtrtcResult result = program.compile();
        EXPECT_EQ(result, isBad ? MTRTC_ERROR_COMPILATION : MTRTC_SUCCESS) << program.log();
        if (!isBad) images[static_cast<size_t>(number)] = program.image();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Device device;
  for (size_t i = 0; i < images.size(); ++i) {
    if (images[i].empty()) continue;
    EXPECT_EQ(device.run(device.load(images[i].c_str()), "k", 1).front(), static_cast<int>(i));
  }
}

// MUSASHIM_TEST_COMPILES=1000 for the whole of it.
TEST(MtrtcThreads, CompilingTakesNoMemoryForGood) {
  const char* const text = std::getenv("MUSASHIM_TEST_COMPILES");
  const int count = text == nullptr ? 60 : std::atoi(text);
  const auto compile = [](int number) {
    const Program program("extern \"C\" __global__ void k(int* out) { *out = " + std::to_string(number) +
                          "; }");
    ASSERT_EQ(program.compile({"--no-cache"}), MTRTC_SUCCESS) << program.log();
  };
  for (int i = 0; i < 10; ++i) compile(i);
  const size_t before = residentKibibytes();
  for (int i = 10; i < count; ++i) compile(i);
  EXPECT_LT(residentKibibytes(), before + 4096) << "KiB, after " << count << " compilations";
}

}  // namespace
