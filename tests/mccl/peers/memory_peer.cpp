// What the memory's work of a float-sum all-reduce takes, without ranks:
//   MEMORY_PEER RANKS BYTES [in] [called]
// A thread per processor sums its part of all ranks' source buffers, block by block, and copies each block
// into all result buffers, the same buffers each time; with `in` those of the sources. The threads meet once
// for each repeat, spinning; with `called` the others begin when the first says so, and it goes on when each
// has said that it is done, as in a call of a library. Nobody makes calls, takes turns, posts or claims
// anything.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

#include "processors.h"
#include "sizes.h"

namespace {

struct Buffers {
  std::vector<float*> sources, results;  // of all ranks
};

constexpr size_t kHugePage = size_t{2} << 20;
constexpr int kCollapse = 25;  // MADV_COLLAPSE, which older headers do not have

// As a device has its memory: a file of each rank, of huge pages from 1 MiB on, where the system makes them.
// With small pages the same work takes up to 1.7 times as long or as short, by where its lines fall in the
// caches.
float* memoryOfRank(size_t bytes) {
  const int file = memfd_create("rank", MFD_CLOEXEC);
  const size_t room = bytes + kHugePage;  // to begin at a huge page
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) std::abort();
  void* const reserved = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(reserved) + kHugePage - 1) & ~(kHugePage - 1);
  void* const memory =
      mmap(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  close(file);
  if (reserved == MAP_FAILED || memory == MAP_FAILED) std::abort();
  std::memset(memory, 0, bytes);
  (void)madvise(memory, bytes, kCollapse);
  return static_cast<float*>(memory);
}

Buffers allocate(size_t ranks, size_t bytes, bool inPlace) {
  const size_t each = bytes < (1 << 20) ? bytes : (bytes + kHugePage - 1) & ~(kHugePage - 1);
  Buffers buffers;
  for (size_t i = 0; i < ranks; ++i) {
    float* const memory = memoryOfRank(inPlace ? each : 2 * each);
    buffers.sources.push_back(memory);
    buffers.results.push_back(inPlace ? memory : memory + each / sizeof(float));
  }
  return buffers;
}

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
void sumBlock(float* sum, const std::vector<float*>& sources, size_t at, size_t count) {
  size_t next = sources.size() >= 4 ? 4 : sources.size() >= 2 ? 2 : 1;
  if (next == 4) add<4, true>(sum, sources.data(), at, count);
  if (next == 2) add<2, true>(sum, sources.data(), at, count);
  if (next == 1) add<1, true>(sum, sources.data(), at, count);
  for (; next + 4 <= sources.size(); next += 4) add<4, false>(sum, &sources[next], at, count);
  for (; next < sources.size(); ++next) add<1, false>(sum, &sources[next], at, count);
}

void allReduce(const Buffers& buffers, size_t begin, size_t end) {
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

}  // namespace

int main(int argc, char** argv) {
  const std::vector<int> processors = peers::allowedProcessors();
  const size_t ranks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2;
  const size_t bytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 65536;
  if (processors.empty() || ranks == 0) return 1;
  const auto isAsked = [&](const char* word) {
    return std::any_of(argv + std::min(argc, 3), argv + argc,
                       [&](const char* argument) { return std::strcmp(argument, word) == 0; });
  };
  const bool inPlace = isAsked("in"), called = isAsked("called");
  const Buffers buffers = allocate(ranks, bytes, inPlace);
  const size_t count = bytes / sizeof(float), threads = processors.size();
  SpinBarrier barrier(threads);
  Calls calls(threads);
  const auto run = [&](size_t thread) {
    peers::stayOn(processors[thread]);
    std::vector<double> times;
    const int batch = peers::batchOf(bytes);
    for (int round = -1; round < peers::roundsOf(bytes); ++round) {
      barrier.wait();
      const double start = peers::now();
      for (int i = 0; i < batch; ++i) {
        if (called) calls.begin(thread);
        allReduce(buffers, count * thread / threads, count * (thread + 1) / threads);
        called ? calls.end(thread) : barrier.wait();
      }
      if (round >= 0) times.push_back((peers::now() - start) / batch);
    }
    if (thread == 0)
      peers::report("memory", "allreduce", static_cast<int>(ranks), bytes, peers::median(times));
  };
  std::vector<std::thread> others;
  for (size_t thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
  run(0);
  for (std::thread& thread : others) thread.join();
}
