// What the memory's work of a float-sum all-reduce takes, without ranks:
//   MEMORY_PEER RANKS BYTES [in] [called]
// A thread per processor sums its part of all ranks' source buffers, block by block, and copies each block
// into all result buffers, the same buffers each time; with `in` those of the sources. The threads meet once
// for each repeat, spinning; with `called` the others begin when the first says so, and it goes on when each
// has said that it is done, as in a call of a library. Nobody makes calls, takes turns, posts or claims
// anything.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <thread>

#include "memory_work.h"
#include "processors.h"
#include "sizes.h"

namespace {

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

peers::Buffers allocate(size_t ranks, size_t bytes, bool inPlace) {
  const size_t each = bytes < (1 << 20) ? bytes : (bytes + kHugePage - 1) & ~(kHugePage - 1);
  peers::Buffers buffers;
  for (size_t i = 0; i < ranks; ++i) {
    float* const memory = memoryOfRank(inPlace ? each : 2 * each);
    buffers.sources.push_back(memory);
    buffers.results.push_back(inPlace ? memory : memory + each / sizeof(float));
  }
  return buffers;
}

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
  const peers::Buffers buffers = allocate(ranks, bytes, inPlace);
  const size_t count = bytes / sizeof(float), threads = processors.size();
  peers::SpinBarrier barrier(threads);
  peers::Calls calls(threads);
  const auto run = [&](size_t thread) {
    peers::stayOn(processors[thread]);
    std::vector<double> times;
    const int batch = peers::batchOf(bytes);
    for (int round = -1; round < peers::roundsOf(bytes); ++round) {
      barrier.wait();
      const double start = peers::now();
      for (int i = 0; i < batch; ++i) {
        if (called) calls.begin(thread);
        peers::allReduce(buffers, count * thread / threads, count * (thread + 1) / threads);
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
