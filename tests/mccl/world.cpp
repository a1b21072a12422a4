#include "world.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

namespace musashim::mccl {
namespace {

// Before the first call into libmusart reads it.
const int kEnvironment = setenv("MUSASHIM_DEVICES", "8", 0);

}  // namespace

Buffer::Buffer(int device, size_t bytes) : device_(device), bytes_(bytes) {
  EXPECT_EQ(musaSetDevice(device), musaSuccess);
  EXPECT_EQ(musaMalloc(&pointer_, bytes ? bytes : 1), musaSuccess);
}

Buffer::~Buffer() {
  if (!pointer_) return;
  EXPECT_EQ(musaSetDevice(device_), musaSuccess);
  EXPECT_EQ(musaFree(pointer_), musaSuccess);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(pointer_, other.pointer_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void Buffer::write(const std::vector<char>& bytes) {
  ASSERT_LE(bytes.size(), bytes_);
  ASSERT_MUSA(musaMemcpy(pointer_, bytes.data(), bytes.size(), musaMemcpyHostToDevice));
}

std::vector<char> Buffer::read() const {
  std::vector<char> bytes(bytes_);
  EXPECT_EQ(musaMemcpy(bytes.data(), pointer_, bytes_, musaMemcpyDeviceToHost), musaSuccess);
  return bytes;
}

World::World(int ranks, Drive drive) : drive_(drive), ranks_(ranks) {
  (void)kEnvironment;
  mcclUniqueId id;
  EXPECT_MCCL(mcclGetUniqueId(&id));
  for (int i = 0; i < ranks; ++i) {
    ranks_[i].rank = ranks_[i].device = i;
    EXPECT_EQ(musaSetDevice(i), musaSuccess);
    // Non-blocking: reading a buffer must not wait for a rank that is meant to hang.
    EXPECT_EQ(musaStreamCreateWithFlags(&ranks_[i].stream, musaStreamNonBlocking), musaSuccess);
  }
  each([&](Rank& rank) { return mcclCommInitRank(&rank.comm, ranks, id, rank.rank); });
}

World::~World() {
  for (Rank& rank : ranks_) {
    if (rank.comm) EXPECT_MCCL(mcclCommDestroy(rank.comm));
    EXPECT_EQ(musaSetDevice(rank.device), musaSuccess);
    EXPECT_EQ(musaStreamDestroy(rank.stream), musaSuccess);
  }
}

void World::each(const std::function<mcclResult_t(Rank&)>& call) {
  if (drive_ == Drive::kOneThread) {
    EXPECT_MCCL(mcclGroupStart());
    for (Rank& rank : ranks_) {
      EXPECT_EQ(musaSetDevice(rank.device), musaSuccess);
      EXPECT_MCCL(call(rank));
    }
    EXPECT_MCCL(mcclGroupEnd());
    return;
  }
  onThreads(ranks(), [&](int index) {
    EXPECT_EQ(musaSetDevice(ranks_[index].device), musaSuccess);
    EXPECT_MCCL(call(ranks_[index]));
  });
}

void World::synchronize() {
  for (Rank& rank : ranks_) {
    EXPECT_EQ(musaSetDevice(rank.device), musaSuccess);
    EXPECT_EQ(musaStreamSynchronize(rank.stream), musaSuccess);
  }
}

void World::forgetComms() {
  for (Rank& rank : ranks_) rank.comm = nullptr;
}

void onThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

bool becomesReady(musaStream_t stream) {
  for (int i = 0; i < 1000; ++i) {
    if (musaStreamQuery(stream) == musaSuccess) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

mcclResult_t asyncError(mcclComm_t comm) {
  mcclResult_t error = mcclNumResults;
  EXPECT_MCCL(mcclCommGetAsyncError(comm, &error));
  return error;
}

}  // namespace musashim::mccl
