#include "lane_runtime.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace musashim::device_test {
namespace {

// Lanes that meet exchange 64 bits each. A mask's lanes meet in their own rendezvous,
// so that different groups do not wait for each other.
class Rendezvous {
 public:
  explicit Rendezvous(unsigned members) : members_(members) {}

  std::array<uint64_t, 32> exchange(unsigned lane, uint64_t value) {
    std::unique_lock lock(mutex_);
    values_[lane] = value;
    const unsigned round = round_;
    if (++arrived_ == members_) {
      published_ = values_;
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
    const auto result = published_;
    // Nobody may publish again before all have read: one more meeting.
    const unsigned leaving = left_round_;
    if (++left_ == members_) {
      left_ = 0;
      ++left_round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return left_round_ != leaving; });
    }
    return result;
  }

 private:
  const unsigned members_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<uint64_t, 32> values_{}, published_{};
  unsigned arrived_ = 0, round_ = 0, left_ = 0, left_round_ = 0;
};

struct Block {
  Launch launch;
  unsigned threads = 0;
  std::mutex mutex;
  std::map<uint32_t, std::unique_ptr<Rendezvous>> rendezvous;
  std::string output, failedAssert;
  std::atomic<long long> allocations{0};
};

Block* block = nullptr;
thread_local unsigned lane = 0;

unsigned blockMask() { return block->threads == 32 ? ~0u : (1u << block->threads) - 1u; }

std::array<uint64_t, 32> meet(uint32_t mask, uint64_t value) {
  mask &= blockMask();
  if ((mask >> lane & 1u) == 0) {
    std::fprintf(stderr, "lane %u is not in mask %08x\n", lane, mask);
    std::abort();
  }
  Rendezvous* place;
  {
    std::lock_guard lock(block->mutex);
    auto& slot = block->rendezvous[mask];
    if (!slot) slot = std::make_unique<Rendezvous>(unsigned(__builtin_popcount(mask)));
    place = slot.get();
  }
  return place->exchange(lane, value);
}

// A source outside the sub-warp of `width` lanes means the lane's own value.
uint64_t shuffle(uint32_t mask, uint64_t value, int source, int width) {
  const int first = int(lane) / width * width;
  const auto values = meet(mask, value);
  return source < first || source >= first + width ? value : values[unsigned(source)];
}

}  // namespace

Outcome runBlock(const Launch& launch, const std::function<void()>& kernel) {
  Block state;
  state.launch = launch;
  state.threads = launch.block.x * launch.block.y * launch.block.z;
  block = &state;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < state.threads; ++i) {
    threads.emplace_back([i, &kernel] {
      lane = i;
      kernel();
    });
  }
  for (std::thread& thread : threads) thread.join();
  block = nullptr;
  return {state.output, state.failedAssert, state.allocations};
}

}  // namespace musashim::device_test

using namespace musashim::device_test;

#define EXPORT extern "C" __attribute__((visibility("default")))

// What the headers' functions refer to and no kernel of these tests comes to.
EXPORT [[noreturn]] void __musa_trap(void) { std::abort(); }

EXPORT unsigned __musa_thread_idx_x() { return lane % block->launch.block.x; }
EXPORT unsigned __musa_thread_idx_y() { return lane / block->launch.block.x % block->launch.block.y; }
EXPORT unsigned __musa_thread_idx_z() { return lane / block->launch.block.x / block->launch.block.y; }
EXPORT unsigned __musa_block_idx_x() { return block->launch.blockIdx.x; }
EXPORT unsigned __musa_block_idx_y() { return block->launch.blockIdx.y; }
EXPORT unsigned __musa_block_idx_z() { return block->launch.blockIdx.z; }
EXPORT unsigned __musa_block_dim_x() { return block->launch.block.x; }
EXPORT unsigned __musa_block_dim_y() { return block->launch.block.y; }
EXPORT unsigned __musa_block_dim_z() { return block->launch.block.z; }
EXPORT unsigned __musa_grid_dim_x() { return block->launch.grid.x; }
EXPORT unsigned __musa_grid_dim_y() { return block->launch.grid.y; }
EXPORT unsigned __musa_grid_dim_z() { return block->launch.grid.z; }
EXPORT int __musa_warp_size() { return 32; }
// mcc turns reads of it into calls of __musa_warp_size; these kernels are compiled without it.
EXPORT const int warpSize = 32;

EXPORT void __musa_syncthreads() { meet(~0u, 0); }
EXPORT void __musa_syncwarp(uint32_t mask) { meet(mask, 0); }
EXPORT uint64_t __musa_shfl_idx(uint32_t mask, uint64_t value, int32_t source, int32_t width) {
  return shuffle(mask, value, int(lane) / width * width + source % width, width);
}
EXPORT uint64_t __musa_shfl_up(uint32_t mask, uint64_t value, uint32_t delta, int32_t width) {
  return shuffle(mask, value, int(lane) - int(delta), width);
}
EXPORT uint64_t __musa_shfl_down(uint32_t mask, uint64_t value, uint32_t delta, int32_t width) {
  return shuffle(mask, value, int(lane + delta), width);
}
EXPORT uint64_t __musa_shfl_xor(uint32_t mask, uint64_t value, int32_t laneMask, int32_t width) {
  return shuffle(mask, value, int(lane) ^ laneMask, width);
}
EXPORT uint32_t __musa_ballot(uint32_t mask, int32_t predicate) {
  const auto values = meet(mask, predicate != 0);
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    if (mask & blockMask() & 1u << i && values[i] != 0) result |= 1u << i;
  }
  return result;
}
EXPORT int32_t __musa_all(uint32_t mask, int32_t predicate) {
  return __musa_ballot(mask, predicate) == (mask & blockMask());
}
EXPORT int32_t __musa_any(uint32_t mask, int32_t predicate) { return __musa_ballot(mask, predicate) != 0; }
EXPORT uint32_t __musa_match_any(uint32_t mask, uint64_t value) {
  const auto values = meet(mask, value);
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    if (mask & blockMask() & 1u << i && values[i] == value) result |= 1u << i;
  }
  return result;
}

EXPORT void* __musa_malloc(uint64_t bytes) {
  ++block->allocations;
  return std::malloc(bytes);
}
EXPORT void __musa_free(void* pointer) {
  if (pointer != nullptr) --block->allocations;
  std::free(pointer);
}
EXPORT int __musa_printf(const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  std::lock_guard lock(block->mutex);
  block->output += line;
  return length;
}
// As on a device, only the thread ends here; the test reads what failed.
EXPORT __attribute__((noreturn)) void __musa_assert_fail(const char* expression, const char*, unsigned,
                                                         const char*) {
  {
    std::lock_guard lock(block->mutex);
    if (block->failedAssert.empty()) block->failedAssert = expression;
  }
  pthread_exit(nullptr);
}
