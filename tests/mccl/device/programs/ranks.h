// Ranks as threads of one process, or one for each process: MCCL_COMM_ID says where these meet.
#pragma once

#include <mccl.h>
#include <mccl_device.h>
#include <musa_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

inline std::atomic<int> gWrong{0};

#define CHECK(condition)                                          \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++gWrong;                                                   \
    }                                                             \
  } while (false)
#define MUST(call)                                                                                      \
  do {                                                                                                  \
    if (const int status = (call); status != 0) {                                                       \
      std::printf("%s:%d: %s: %d, %s\n", __FILE__, __LINE__, #call, status, mcclGetLastError(nullptr)); \
      std::fflush(stdout);                                                                              \
      std::_Exit(1);                                                                                    \
    }                                                                                                   \
  } while (false)

struct Rank {
  int rank, ranks;
  mcclComm_t comm;
  musaStream_t stream;
};

// A window on memory of its own, `count` elements of T at each rank.
template <typename T>
class SharedArray {
 public:
  SharedArray(const Rank& rank, size_t count) : rank_(rank), count_(count) {
    void* memory = nullptr;
    MUST(mcclMemAlloc(&memory, count * sizeof(T)));
    data_ = static_cast<T*>(memory);
    MUST(musaMemset(data_, 0, count * sizeof(T)));
    MUST(musaDeviceSynchronize());
    MUST(mcclCommWindowRegister(rank.comm, data_, count * sizeof(T), &window_, MCCL_WIN_COLL_SYMMETRIC));
  }
  ~SharedArray() {
    MUST(mcclCommWindowDeregister(rank_.comm, window_));
    MUST(mcclMemFree(data_));
  }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  mcclWindow_t window() const { return window_; }
  T* data() const { return data_; }
  void write(const std::vector<T>& values) {
    MUST(musaMemcpy(data_, values.data(), values.size() * sizeof(T), musaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    MUST(musaMemcpy(values.data(), data_, count_ * sizeof(T), musaMemcpyDeviceToHost));
    return values;
  }

 private:
  const Rank& rank_;
  size_t count_;
  T* data_ = nullptr;
  mcclWindow_t window_ = nullptr;
};

class DeviceComm {
 public:
  DeviceComm(const Rank& rank, const mcclDevCommRequirements_t& requirements) : rank_(rank) {
    MUST(mcclDevCommCreate(rank.comm, &requirements, &comm));
  }
  ~DeviceComm() { MUST(mcclDevCommDestroy(rank_.comm, &comm)); }
  DeviceComm(const DeviceComm&) = delete;
  DeviceComm& operator=(const DeviceComm&) = delete;

  mcclDevComm comm;

 private:
  const Rank& rank_;
};

inline void finish(const Rank& rank) {
  MUST(musaGetLastError());
  MUST(musaStreamSynchronize(rank.stream));
}

inline void runRank(const mcclUniqueId& id, int rank, int ranks, const std::function<void(Rank&)>& body) {
  int devices = 0;
  MUST(musaGetDeviceCount(&devices));
  MUST(musaSetDevice(rank % devices));
  Rank one{rank, ranks, nullptr, nullptr};
  MUST(musaStreamCreateWithFlags(&one.stream, musaStreamNonBlocking));
  MUST(mcclCommInitRank(&one.comm, ranks, id, rank));
  body(one);
  MUST(mcclCommDestroy(one.comm));
  MUST(musaStreamDestroy(one.stream));
}

// PROGRAM ... RANKS [RANK]: with a rank, this process is that one alone.
inline int runRanks(int ranks, const char* own, const std::function<void(Rank&)>& body) {
  mcclUniqueId id;
  MUST(mcclGetUniqueId(&id));
  if (own != nullptr) {
    runRank(id, std::atoi(own), ranks, body);
  } else {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] { runRank(id, rank, ranks, body); });
    for (std::thread& thread : threads) thread.join();
  }
  if (gWrong == 0) std::printf("passed\n");
  return gWrong != 0;
}
