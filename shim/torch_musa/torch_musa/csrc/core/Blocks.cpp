#include "torch_musa/csrc/core/Blocks.h"

#include <algorithm>

#include "torch_musa/csrc/core/Allocator.h"
#include "torch_musa/csrc/core/Capture.h"

namespace c10::musa {
namespace {

constexpr std::size_t kMiB = 1U << 20U;
constexpr std::size_t kStep = 512;                 // every block is a multiple
constexpr std::size_t kSmallBlock = kMiB;          // up to this size a block is small
constexpr std::size_t kSmallSegment = 2 * kMiB;    // what small blocks are cut from
constexpr std::size_t kMiddleBlock = 10 * kMiB;    // below this size a block is cut from
constexpr std::size_t kMiddleSegment = 20 * kMiB;  // this much
constexpr std::size_t kLargeStep = 2 * kMiB;       // others have a segment of their own

std::size_t roundUp(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

std::size_t segmentFor(std::size_t bytes) {
  if (bytes <= kSmallBlock) return kSmallSegment;
  return bytes < kMiddleBlock ? kMiddleSegment : roundUp(bytes, kLargeStep);
}

}  // namespace

void DeviceBlocks::count(CachingAllocator::StatArray& array, const Space& space, std::int64_t change) const {
  using CachingAllocator::StatType;
  for (const auto type : {StatType::AGGREGATE, space.small ? StatType::SMALL_POOL : StatType::LARGE_POOL}) {
    auto& stat = array[static_cast<std::size_t>(type)];
    if (change >= 0)
      stat.increase(static_cast<std::size_t>(change));
    else
      stat.decrease(static_cast<std::size_t>(-change));
  }
}

Space& DeviceBlocks::spaceOf(StreamId stream, bool small, PoolId pool) {
  auto& space = spaces_[{stream, small, pool}];
  if (!space) space = std::make_unique<Space>(Space{stream, small, pool, {}});
  return *space;
}

Block* DeviceBlocks::findFree(Space& space, std::size_t bytes) {
  Block asked{nullptr, bytes, 0, false, &space};
  const auto found = space.free.lower_bound(&asked);
  if (found == space.free.end()) return nullptr;
  Block* const block = *found;
  space.free.erase(found);
  return block;
}

void DeviceBlocks::note(const char* action, const Block& block, std::size_t size, const Stack& stack) {
  history.add({action, reinterpret_cast<std::size_t>(block.memory), size, block.space->stream,
               block.space->pool, stack});
}

void* DeviceBlocks::take(std::size_t wanted, StreamId stream, PoolId pool, const Stack& stack) {
  takeBackFinished();
  const std::size_t bytes = roundUp(wanted, kStep);
  Space& space = spaceOf(stream, bytes <= kSmallBlock, pool);
  Block* block = findFree(space, bytes);
  if (block == nullptr) block = fresh(space, wanted, bytes, stack);
  split(*block, bytes);
  block->taken = true;
  block->wanted = wanted;
  block->stack = stack;
  note("alloc", *block, wanted, stack);
  count(stats.allocation, space, 1);
  count(stats.active, space, 1);
  count(stats.allocated_bytes, space, static_cast<std::int64_t>(block->bytes));
  count(stats.active_bytes, space, static_cast<std::int64_t>(block->bytes));
  count(stats.requested_bytes, space, static_cast<std::int64_t>(wanted));
  return block->memory;
}

// What is left of the block becomes one of its own where that is worth it.
void DeviceBlocks::split(Block& block, std::size_t bytes) {
  Space& space = *block.space;
  const bool wasSplit = block.isSplit();
  const std::size_t rest = block.bytes - bytes;
  if (wasSplit) {
    count(stats.inactive_split, space, -1);
    count(stats.inactive_split_bytes, space, -static_cast<std::int64_t>(block.bytes));
  }
  if (space.small ? rest < kStep : rest <= kSmallBlock) return;
  auto made = std::make_unique<Block>(Block{block.memory + bytes, rest, 0, false, &space});
  made->before = &block;
  made->behind = block.behind;
  if (block.behind != nullptr) block.behind->before = made.get();
  block.behind = made.get();
  block.bytes = bytes;
  space.free.insert(made.get());
  count(stats.inactive_split, space, 1);
  count(stats.inactive_split_bytes, space, static_cast<std::int64_t>(rest));
  blocks_.emplace(made->memory, std::move(made));
}

Block* DeviceBlocks::fresh(Space& space, std::size_t wanted, std::size_t bytes, const Stack& stack) {
  const std::size_t needed = segmentFor(bytes);
  Block* block = segment(space, needed, stack);
  if (block == nullptr) {
    ++stats.num_alloc_retries;
    release();
    block = segment(space, needed, stack);
  }
  if (block == nullptr) {
    ++stats.num_ooms;
    history.add({"oom", memoryInfo(device_).first, needed, space.stream, space.pool, stack});
    fail(wanted);
  }
  return block;
}

// Null if the device has no more.
Block* DeviceBlocks::segment(Space& space, std::size_t bytes, const Stack& stack) {
  if (beyondLimit(bytes)) return nullptr;
  const DeviceScope scope(device_);
  const AllowedInCapture allowed;
  void* memory = nullptr;
  const musaError_t error = musaMalloc(&memory, bytes);
  if (error == musaErrorMemoryAllocation) return (void)musaGetLastError(), nullptr;
  C10_MUSA_CHECK(error);
  count(stats.segment, space, 1);
  count(stats.reserved_bytes, space, static_cast<std::int64_t>(bytes));
  ++stats.num_device_alloc;
  auto made = std::make_unique<Block>(Block{static_cast<char*>(memory), bytes, 0, false, &space});
  note("segment_alloc", *made, bytes, stack);
  return (blocks_[memory] = std::move(made)).get();
}

bool DeviceBlocks::beyondLimit(std::size_t bytes) const {
  if (limit >= 1.0) return false;
  const DeviceScope scope(device_);
  std::size_t free = 0, total = 0;
  C10_MUSA_CHECK(musaMemGetInfo(&free, &total));
  return static_cast<double>(stats.reserved_bytes[0].current) + static_cast<double>(bytes) >
         limit * static_cast<double>(total);
}

void DeviceBlocks::fail(std::size_t wanted) {
  const DeviceScope scope(device_);
  std::size_t free = 0, total = 0;
  C10_MUSA_CHECK(musaMemGetInfo(&free, &total));
  const auto mib = [](auto count) { return static_cast<double>(count) / static_cast<double>(kMiB); };
  TORCH_CHECK_WITH(OutOfMemoryError, false, "MUSA out of memory. Tried to allocate ", mib(wanted),
                   " MiB. GPU ", static_cast<int>(device_), " has a total capacity of ", mib(total),
                   " MiB of which ", mib(free), " MiB is free. Of the allocated memory ",
                   mib(stats.allocated_bytes[0].current), " MiB is allocated by PyTorch, and ",
                   mib(stats.reserved_bytes[0].current - stats.allocated_bytes[0].current),
                   " MiB is reserved by PyTorch but unallocated.");
}

void DeviceBlocks::usedBy(void* memory, StreamId stream) {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end() || found->second->space->stream == stream) return;
  auto& users = found->second->users;
  if (std::find(users.begin(), users.end(), stream) == users.end()) users.push_back(stream);
}

bool DeviceBlocks::give(void* memory, const Stack& stack) {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end() || !found->second->taken) return false;
  Block& block = *found->second;
  Space& space = *block.space;
  block.taken = false;
  note("free_requested", block, block.wanted, stack);
  count(stats.allocation, space, -1);
  count(stats.allocated_bytes, space, -static_cast<std::int64_t>(block.bytes));
  const DeviceScope scope(device_);
  for (const StreamId user : block.users) {
    const Stream stream(Stream::UNSAFE, {kDevice, device_}, user);
    if (captureOf(stream) != 0) continue;  // what a graph uses is of its pool
    musaEvent_t event = nullptr;
    C10_MUSA_CHECK(musaEventCreateWithFlags(&event, musaEventDisableTiming));
    C10_MUSA_CHECK(musaEventRecord(event, nativeStream(stream)));
    block.pending.push_back(event);
  }
  block.users.clear();
  if (block.pending.empty())
    finishGiving(block, stack);
  else
    waiting_.push_back(&block);
  return true;
}

void DeviceBlocks::takeBackFinished() {
  const auto finished = [](Block* block) {
    std::erase_if(block->pending, [](musaEvent_t event) {
      const musaError_t error = musaEventQuery(event);
      if (error == musaErrorNotReady) return (void)musaGetLastError(), false;
      C10_MUSA_CHECK(error);
      return (void)musaEventDestroy(event), true;
    });
    return block->pending.empty();
  };
  if (waiting_.empty() || captureIsActive()) return;
  const DeviceScope scope(device_);
  const auto left =
      std::stable_partition(waiting_.begin(), waiting_.end(), [&](Block* block) { return !finished(block); });
  std::vector<Block*> done(left, waiting_.end());
  waiting_.erase(left, waiting_.end());
  for (Block* const block : done) finishGiving(*block, nullptr);
}

void DeviceBlocks::finishGiving(Block& block, const Stack& stack) {
  Space& space = *block.space;
  note("free_completed", block, block.wanted, stack);
  block.stack = nullptr;
  count(stats.active, space, -1);
  count(stats.active_bytes, space, -static_cast<std::int64_t>(block.bytes));
  count(stats.requested_bytes, space, -static_cast<std::int64_t>(block.wanted));
  Block* whole = &block;
  if (block.before != nullptr && takeOut(*block.before)) {
    whole = block.before;
    absorb(*whole, block);
  }
  if (whole->behind != nullptr && takeOut(*whole->behind)) absorb(*whole, *whole->behind);
  space.free.insert(whole);
  if (!whole->isSplit()) return;
  count(stats.inactive_split, space, 1);
  count(stats.inactive_split_bytes, space, static_cast<std::int64_t>(whole->bytes));
}

// False if it is not free.
bool DeviceBlocks::takeOut(Block& block) {
  if (block.space->free.erase(&block) == 0) return false;
  count(stats.inactive_split, *block.space, -1);
  count(stats.inactive_split_bytes, *block.space, -static_cast<std::int64_t>(block.bytes));
  return true;
}

// The right neighbour becomes part of it.
void DeviceBlocks::absorb(Block& block, Block& right) {
  block.bytes += right.bytes;
  block.behind = right.behind;
  if (block.behind != nullptr) block.behind->before = &block;
  blocks_.erase(right.memory);
}

void DeviceBlocks::release() {
  takeBackFinished();
  const DeviceScope scope(device_);
  const AllowedInCapture allowed;
  for (auto& [key, space] : spaces_) {
    const PoolId pool = space->pool;
    if (pool != PoolId{0, 0} && dropped_.count(pool) == 0) continue;
    for (auto at = space->free.begin(); at != space->free.end();) {
      Block* const block = *at;
      if (block->isSplit()) {
        ++at;
        continue;
      }
      at = space->free.erase(at);
      note("segment_free", *block, block->bytes, nullptr);
      C10_MUSA_CHECK(musaFree(block->memory));
      count(stats.segment, *space, -1);
      count(stats.reserved_bytes, *space, -static_cast<std::int64_t>(block->bytes));
      ++stats.num_device_free;
      blocks_.erase(block->memory);
    }
  }
}

std::vector<Segment> DeviceBlocks::segments() const {
  std::vector<Segment> found;
  for (const auto& [memory, first] : blocks_) {
    if (first->before != nullptr) continue;
    Segment segment;
    segment.address = reinterpret_cast<std::size_t>(memory);
    segment.stream = nativeStream(Stream(Stream::UNSAFE, {kDevice, device_}, first->space->stream));
    segment.is_large = !first->space->small;
    segment.pool = first->space->pool;
    for (const Block* block = first.get(); block != nullptr; block = block->behind) {
      const Segment::Piece info{block->bytes, block->wanted, block->taken,
                                block->taken || !block->pending.empty(), block->stack};
      segment.total_size += info.size;
      segment.allocated_size += info.allocated ? info.size : 0;
      segment.active_size += info.active ? info.size : 0;
      segment.blocks.push_back(info);
    }
    found.push_back(std::move(segment));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  return found;
}

}  // namespace c10::musa
