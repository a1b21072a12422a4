// One thread of the stress program: objects of its own, and operations on them and on shared ones.
// What an operation computes is checked; a call that fails where it must not ends the program.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "support.h"

#define STRESS_MUSA(call)                                                                           \
  do {                                                                                              \
    if (musaError_t error_ = (call); error_ != musaSuccess) {                                       \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, musaGetErrorName(error_)); \
      std::abort();                                                                                 \
    }                                                                                               \
  } while (false)

#define STRESS_MU(call) STRESS_MUSA(static_cast<musaError_t>(call))

#define STRESS_CHECK(condition)                                                    \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

namespace musashim::stress {

inline constexpr int kValues = 64;  // of every buffer

// Objects that all threads use at once, on every device; nobody ends them meanwhile.
struct Shared {
  Shared();
  ~Shared();
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  struct PerDevice {
    musaStream_t blocking = nullptr, nonBlocking = nullptr;
    musaEvent_t event = nullptr;
    const int* ones = nullptr;  // kValues times 1
    musaMemPool_t pool = nullptr;
    musaGraphExec_t graph = nullptr;  // of empty kernels
  };
  PerDevice devices[test::kDevices];
};

class Worker {
 public:
  Worker(Shared& shared, int device, uint64_t seed);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void operate();  // one random operation

 private:
  using Operation = void (Worker::*)();
  static const std::vector<Operation>& operations();

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  musaStream_t anyOwnStream() { return streams_[below(2)]; }
  Shared::PerDevice& shared() { return shared_.devices[device_]; }
  // The own buffer holds `value_` everywhere once the own streams are done.
  void finishOwnWork();
  void checkBuffer();

  // operations_streams.cpp
  void launch();
  void launchByDefaultStreams();
  void orderByEvents();
  void useSharedStreams();
  void callHostFunctions();
  void renewStream();
  void query();
  void writeAndWaitForValues();
  void changeAttributes();
  // operations_memory.cpp
  void copy();
  void fill();
  void copyToPeer();
  void allocate();
  void allocateInStream();
  void allocateHost();
  void registerHost();
  void useManaged();
  void useImages();
  void usePool();
  void askAboutPointers();
  // operations_graphs.cpp
  void captureAndLaunch();
  void buildGraph();
  void launchSharedGraph();
  void useUserObjects();
  // operations_driver.cpp
  void useModule();
  void useLibrary();
  void useContext();
  void mapMemory();
  void makeMistakes();
  void askAboutDevices();

  Shared& shared_;
  const int device_;
  std::mt19937_64 random_;
  musaStream_t streams_[2] = {};  // neither waits for the legacy one
  musaEvent_t event_ = nullptr;
  int* buffer_ = nullptr;
  int* pinned_ = nullptr;
  int value_ = 0;
};

}  // namespace musashim::stress
