// The memory of one device in blocks: segments of the runtime's, split for what is asked for and joined when
// it is given back. The sizes are those of PyTorch's allocator for CUDA, so that programs see the figures
// that they know.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "torch_musa/csrc/core/Capture.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Older.h"
#include "torch_musa/csrc/memory/History.h"
#include "torch_musa/csrc/memory/Segment.h"

namespace c10::musa {

struct Space;

struct Block {
  char* memory;
  std::size_t bytes;
  std::size_t wanted = 0;  // what was asked for
  bool taken = false;
  Space* space;
  Block* before = nullptr;  // of the same segment
  Block* behind = nullptr;
  std::vector<StreamId> users;       // other streams that recordStream named
  std::vector<musaEvent_t> pending;  // of those, after it was given back
  Stack stack;                       // who took it

  bool isSplit() const { return before != nullptr || behind != nullptr; }
};

struct BySize {
  bool operator()(const Block* left, const Block* right) const {
    return std::tie(left->bytes, left->memory) < std::tie(right->bytes, right->memory);
  }
};

// Blocks that may take one another's place: of one stream, one size class, and one graph's pool.
struct Space {
  StreamId stream;
  bool small;
  PoolId pool;
  std::set<Block*, BySize> free;
};

class DeviceBlocks {
 public:
  explicit DeviceBlocks(DeviceIndex device) : device_(device) {}
  DeviceBlocks(const DeviceBlocks&) = delete;
  DeviceBlocks& operator=(const DeviceBlocks&) = delete;

  // Throws OutOfMemoryError. `stack`: who asks.
  void* take(std::size_t wanted, StreamId stream, PoolId pool, const Stack& stack = nullptr);
  // False if the memory is not of here.
  bool give(void* memory, const Stack& stack = nullptr);
  void usedBy(void* memory, StreamId stream);
  // Segments that nobody uses go back to the runtime; all pools, or those of graphs that are gone.
  void release();
  // Its blocks are free for all that ask for this pool until it is dropped; then its segments may go.
  void dropPool(PoolId pool) { dropped_.insert(pool); }

  std::vector<Segment> segments() const;

  CachingDeviceAllocator::DeviceStats stats;
  double limit = 1.0;  // of the device's memory
  History history;

 private:
  Space& spaceOf(StreamId stream, bool small, PoolId pool);
  Block* findFree(Space& space, std::size_t bytes);
  Block* fresh(Space& space, std::size_t wanted, std::size_t bytes, const Stack& stack);
  Block* segment(Space& space, std::size_t bytes, const Stack& stack);
  void split(Block& block, std::size_t bytes);
  void finishGiving(Block& block, const Stack& stack);
  bool takeOut(Block& block);
  void absorb(Block& block, Block& right);
  void takeBackFinished();
  bool beyondLimit(std::size_t bytes) const;
  [[noreturn]] void fail(std::size_t wanted);
  void note(const char* action, const Block& block, std::size_t size, const Stack& stack);
  void count(CachingAllocator::StatArray& array, const Space& space, std::int64_t change) const;

  DeviceIndex device_;
  std::map<std::tuple<StreamId, bool, PoolId>, std::unique_ptr<Space>> spaces_;
  std::unordered_map<void*, std::unique_ptr<Block>> blocks_;
  std::vector<Block*> waiting_;  // given back, still used by other streams
  std::set<PoolId> dropped_;
};

}  // namespace c10::musa
