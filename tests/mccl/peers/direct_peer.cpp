// The limit: threads that read each other's buffers, without a library. DIRECT_PEER RANKS.
// A barrier, each thread does its share for everybody, a barrier.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstring>
#include <functional>
#include <map>
#include <thread>

#include "processors.h"
#include "sizes.h"

namespace {

class Barrier {
 public:
  explicit Barrier(int threads)
      : threads_(threads),
        spins_(static_cast<size_t>(threads) <= peers::allowedProcessors().size() ? 4000 : 50) {}
  void wait() {
    const int turn = turn_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      turn_.fetch_add(1);
      syscall(SYS_futex, &turn_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
      return;
    }
    for (int i = 0; i < spins_ && turn_.load() == turn; ++i) __builtin_ia32_pause();
    while (turn_.load() == turn) syscall(SYS_futex, &turn_, FUTEX_WAIT_PRIVATE, turn, nullptr, nullptr, 0);
  }

 private:
  const int threads_, spins_;
  std::atomic<int> arrived_{0}, turn_{0};
};

struct World {
  int ranks;
  std::vector<float*> send, recv;
};

constexpr size_t kBlock = 2048;  // floats: in the first-level cache

// Sums elements [begin, end) of all ranks and hands blocks to `deliver`.
template <class Deliver>
void reduce(const World& world, size_t begin, size_t end, Deliver&& deliver) {
  alignas(64) float block[kBlock];
  for (size_t at = begin; at < end; at += kBlock) {
    const size_t count = std::min(kBlock, end - at);
    const float *a = world.send[0] + at, *b = world.send[1] + at;
    for (size_t i = 0; i < count; ++i) block[i] = a[i] + b[i];
    for (int rank = 2; rank < world.ranks; ++rank) {
      const float* next = world.send[rank] + at;
      for (size_t i = 0; i < count; ++i) block[i] += next[i];
    }
    deliver(block, at, count);
  }
}

using Share = std::function<void(const World&, int rank, size_t count)>;
const std::map<std::string, Share> kOperations = {
    {"allreduce",
     [](const World& w, int rank, size_t count) {
       const size_t share = (count + w.ranks - 1) / w.ranks;
       const size_t begin = std::min(count, rank * share), end = std::min(count, begin + share);
       reduce(w, begin, end, [&](const float* data, size_t at, size_t n) {
         for (float* recv : w.recv) std::memcpy(recv + at, data, n * 4);
       });
     }},
    {"reducescatter",
     [](const World& w, int rank, size_t count) {
       const size_t share = count / w.ranks;
       reduce(w, rank * share, (rank + 1) * share, [&](const float* data, size_t at, size_t n) {
         std::memcpy(w.recv[rank] + at - rank * share, data, n * 4);
       });
     }},
    {"allgather",
     [](const World& w, int rank, size_t count) {
       const size_t share = count / w.ranks;
       for (int from = 0; from < w.ranks; ++from)
         std::memcpy(w.recv[rank] + from * share, w.send[from], share * 4);
     }},
    {"broadcast",
     [](const World& w, int rank, size_t count) {
       if (rank != 0) std::memcpy(w.recv[rank], w.recv[0], count * 4);
     }},
    {"alltoall", [](const World& w, int rank, size_t count) {
       const size_t share = count / w.ranks;
       for (int from = 0; from < w.ranks; ++from) {
         std::memcpy(w.recv[rank] + from * share, w.send[from] + rank * share, share * 4);
       }
     }}};

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  World world{ranks, {}, {}};
  for (int i = 0; i < ranks; ++i) {
    for (std::vector<float*>* list : {&world.send, &world.recv}) {
      list->push_back(static_cast<float*>(std::aligned_alloc(4096, peers::sizes().back() + 4096)));
      std::memset(list->back(), 0, peers::sizes().back());
    }
  }
  Barrier barrier(ranks);
  const auto run = [&](int rank) {
    for (const auto& [name, share] : kOperations) {
      if (!peers::isWanted(name)) continue;
      for (const size_t bytes : peers::sizes()) {
        std::vector<double> times;
        const int batch = peers::batchOf(bytes);
        for (int round = -1; round < peers::roundsOf(bytes); ++round) {
          const double start = peers::now();
          for (int i = 0; i < batch; ++i) {
            barrier.wait();
            share(world, rank, bytes / 4);
            barrier.wait();
          }
          if (round >= 0) times.push_back((peers::now() - start) / batch);
        }
        if (rank == 0) peers::report("direct", name.c_str(), ranks, bytes, peers::median(times));
      }
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 1; rank < ranks; ++rank) threads.emplace_back(run, rank);
  run(0);
  for (std::thread& thread : threads) thread.join();
}
