// What every test of the backend needs: devices, the test image, launches.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cpu/core/backend.h"
#include "cpu/core/profiles.h"
#include "image/test_params.h"
#include "interface/backend.h"
#include "interface/memory_access.h"

namespace musashim::backend::test {

inline cpu::Settings testSettings(unsigned devices = 1, const std::string& profile = "s5000") {
  cpu::Settings settings;
  settings.devices = devices;
  for (const cpu::ProfileEntry& entry : cpu::profiles()) {
    if (entry.profile.id == profile) settings.profile = &entry.profile;
  }
  return settings;
}

inline std::vector<std::byte> readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline const std::vector<std::byte>& imageBytes(uint32_t arch) {
  static const std::vector<std::byte> image220 = readFile(TEST_IMAGE_220),
                                      image310 = readFile(TEST_IMAGE_310);
  return arch == 310 ? image310 : image220;
}

// Devices with the test image loaded and one queue each.
struct Machine {
  explicit Machine(const cpu::Settings& settings = testSettings()) {
    Status status = cpu::CpuBackend::create(settings, backend);
    EXPECT_TRUE(status.isOk()) << status.message();
    access.emplace(*backend);
    for (size_t i = 0; i < backend->deviceCount(); ++i) {
      images.emplace_back();
      status = device(i).loadImage(imageBytes(device(i).profile().arch), images.back());
      EXPECT_TRUE(status.isOk()) << status.message();
      queues.push_back(device(i).createQueue(0));
    }
  }

  // Images must not be unloaded under running kernels.
  ~Machine() {
    for (size_t i = 0; i < backend->deviceCount(); ++i) device(i).reset();
  }

  Device& device(size_t i = 0) { return backend->device(i); }
  Queue& queue(size_t i = 0) { return *queues[i]; }

  const Kernel* kernel(const char* name, size_t i = 0) {
    const Kernel* found = nullptr;
    Status status = images[i]->findKernel(name, found);
    EXPECT_TRUE(status.isOk()) << status.message();
    return found;
  }

  template <typename Params>
  KernelLaunch launch(const char* name, const Params& params, MusaDim3 grid = {1, 1, 1},
                      MusaDim3 block = {1, 1, 1}, uint32_t sharedBytes = 0, size_t i = 0) {
    KernelLaunch command;
    command.kernel = kernel(name, i);
    command.grid = grid;
    command.block = block;
    command.dynamicSharedBytes = sharedBytes;
    command.params = ParamBuffer(sizeof params);
    memcpy(command.params.data(), &params, sizeof params);
    return command;
  }

  // Launches on the first queue of device i and waits.
  template <typename Params>
  void run(const char* name, const Params& params, MusaDim3 grid = {1, 1, 1}, MusaDim3 block = {1, 1, 1},
           uint32_t sharedBytes = 0, size_t i = 0) {
    queue(i).wait(queue(i).submit(launch(name, params, grid, block, sharedBytes, i), {}));
  }

  template <typename T>
  T* allocate(size_t count, size_t i = 0) {
    void* pointer = nullptr;
    Status status = device(i).allocate(count * sizeof(T), &pointer);
    EXPECT_TRUE(status.isOk()) << status.message();
    return static_cast<T*>(pointer);
  }

  std::unique_ptr<Backend> backend;
  std::optional<MemoryAccessScope> access;  // of the test's thread: it looks at devices' memory itself
  std::vector<std::unique_ptr<Image>> images;
  std::vector<std::shared_ptr<Queue>> queues;
};

// Children of death tests begin anew: a forked copy of a process with threads proves little.
inline void useFreshChildren() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

// Polls, as a host program would, for at most 20 seconds.
template <typename Condition>
bool eventually(Condition condition) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

// A flag that spinning kernels watch. Whoever launches them raises it and waits.
struct SpinFlag {
  void raise() { __atomic_store_n(&value, 1, __ATOMIC_RELEASE); }
  int value = 0;
  int started = 0, done = 0;
  bool isStarted() const { return __atomic_load_n(&started, __ATOMIC_ACQUIRE) != 0; }
  bool isDone() const { return __atomic_load_n(&done, __ATOMIC_ACQUIRE) != 0; }
  SpinParams params() { return {&started, &value, &done}; }
};

}  // namespace musashim::backend::test
