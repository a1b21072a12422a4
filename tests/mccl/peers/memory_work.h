// What an all-reduce of floats does to memory, and how threads that share it meet: no ranks, no calls.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <vector>

namespace peers {

struct Buffers {
  std::vector<float*> sources, results;  // of all ranks
};

constexpr size_t kBlock = 2048;  // floats: in the first-level cache

// Adds `kSources` sources to `sum`, or sets it to their sum.
template <int kSources, bool kSets>
void add(float* __restrict sum, float* const* sources, size_t at, size_t count) {
  const float* from[kSources];
  for (int i = 0; i < kSources; ++i) from[i] = sources[i] + at;
  for (size_t i = 0; i < count; ++i) {
    float value = kSets ? from[0][i] : sum[i] + from[0][i];
#pragma clang loop unroll(full)
    for (int next = 1; next < kSources; ++next) value += from[next][i];
    sum[i] = value;
  }
}

// Four at a time: from memory, one after the other takes twice as long (measured).
inline void sumBlock(float* sum, const std::vector<float*>& sources, size_t at, size_t count) {
  size_t next = sources.size() >= 4 ? 4 : sources.size() >= 2 ? 2 : 1;
  if (next == 4) add<4, true>(sum, sources.data(), at, count);
  if (next == 2) add<2, true>(sum, sources.data(), at, count);
  if (next == 1) add<1, true>(sum, sources.data(), at, count);
  for (; next + 4 <= sources.size(); next += 4) add<4, false>(sum, &sources[next], at, count);
  for (; next < sources.size(); ++next) add<1, false>(sum, &sources[next], at, count);
}

inline void allReduce(const Buffers& buffers, size_t begin, size_t end) {
  alignas(64) float block[kBlock];
  for (size_t at = begin; at < end; at += kBlock) {
    const size_t count = std::min(kBlock, end - at);
    sumBlock(block, buffers.sources, at, count);
    for (float* result : buffers.results) std::memcpy(result + at, block, count * sizeof(float));
  }
}

class SpinBarrier {
 public:
  explicit SpinBarrier(size_t threads) : threads_(threads) {}
  void wait() {
    const size_t turn = turn_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      turn_.store(turn + 1);
      return;
    }
    while (turn_.load() == turn) __builtin_ia32_pause();
  }

 private:
  const size_t threads_;
  std::atomic<size_t> arrived_{0}, turn_{0};
};

// Of the same use as the barrier, for a first thread that calls the others.
class Calls {
 public:
  explicit Calls(size_t threads) : done_(threads) {}
  void begin(size_t thread) {
    if (thread == 0) {
      called_.store(called_.load(std::memory_order_relaxed) + 1);
    } else {
      while (called_.load(std::memory_order_acquire) == done_[thread].count) __builtin_ia32_pause();
    }
  }
  void end(size_t thread) {
    if (thread > 0) {
      done_[thread].count.store(called_.load(std::memory_order_relaxed), std::memory_order_release);
      return;
    }
    for (size_t other = 1; other < done_.size(); ++other) {
      while (done_[other].count.load(std::memory_order_acquire) != called_) __builtin_ia32_pause();
    }
  }

 private:
  struct alignas(64) Done {
    std::atomic<size_t> count{0};
  };
  alignas(64) std::atomic<size_t> called_{0};
  std::vector<Done> done_;
};

}  // namespace peers
