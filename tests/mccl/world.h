// The ranks of a test: one device, stream and communicator each, driven by one thread with
// group calls or by a thread per rank.
#pragma once

#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mccl.h"
#include "musart/device_access.h"

namespace musashim::mccl {

#define ASSERT_MUSA(call) ASSERT_EQ(call, musaSuccess)
#define ASSERT_MCCL(call) ASSERT_EQ(call, mcclSuccess) << mcclGetLastError(nullptr)
#define EXPECT_MCCL(call) EXPECT_EQ(call, mcclSuccess) << mcclGetLastError(nullptr)

enum class Drive { kOneThread, kThreadPerRank };

using test::DeviceAccess;

// Device memory of one device.
class Buffer {
 public:
  Buffer() = default;
  Buffer(int device, size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;

  char* data() const { return static_cast<char*>(pointer_); }
  void write(const std::vector<char>& bytes);
  std::vector<char> read() const;

  template <class T>
  void write(const std::vector<T>& values) {
    const char* begin = reinterpret_cast<const char*>(values.data());
    write(std::vector<char>(begin, begin + values.size() * sizeof(T)));
  }
  template <class T>
  std::vector<T> read() const {
    const std::vector<char> bytes = read();
    const T* begin = reinterpret_cast<const T*>(bytes.data());
    return std::vector<T>(begin, begin + bytes.size() / sizeof(T));
  }

 private:
  int device_ = 0;
  void* pointer_ = nullptr;
  size_t bytes_ = 0;
};

struct Rank {
  int rank = 0;
  int device = 0;
  musaStream_t stream = nullptr;
  mcclComm_t comm = nullptr;
};

class World {
 public:
  explicit World(int ranks, Drive drive = Drive::kOneThread);
  ~World();

  int ranks() const { return static_cast<int>(ranks_.size()); }
  Rank& rank(int index) { return ranks_[index]; }

  // Runs `call` for every rank, its device current, as one group or on a thread each.
  void each(const std::function<mcclResult_t(Rank&)>& call);

  void synchronize();

  // The communicators were given away: do not destroy them.
  void forgetComms();

 private:
  Drive drive_;
  std::vector<Rank> ranks_;
};

// Runs `body` for `count` threads at the same time.
void onThreads(int count, const std::function<void(int)>& body);

// Whether all work of `stream` ends within some seconds.
bool becomesReady(musaStream_t stream);

mcclResult_t asyncError(mcclComm_t comm);

}  // namespace musashim::mccl
