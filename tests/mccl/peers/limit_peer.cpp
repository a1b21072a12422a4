// All-reduce of floats by libmccl, and its limit, in one process and on the same buffers:
//   LIMIT_PEER RANKS BYTES [in]
// The limit is the memory's work of the call (memory_work.h) by as many threads as libmccl uses, each bound
// to a processor, with the same part each time. `called`: the first thread says when the others begin, and
// goes on when each has said that it is done, as in a call of a library; `met`: all meet once for each call.
// These and libmccl take turns; those who do not have it sleep. A turn begins with calls that are not timed:
// of a millisecond at least, as threads are woken, and what the caches have is another's. Prints the medians
// of the turns' times of a call.
#include <musa_runtime_api.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "mccl.h"
#include "memory_work.h"
#include "processors.h"
#include "sizes.h"

namespace {

constexpr size_t kMostThreads = 16;  // of a call of libmccl

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed: %s\n", what, mcclGetLastError(nullptr));
  std::_Exit(1);
}

struct Turn {
  int before, timed, rounds;  // calls, and turns
};

Turn turnOf(size_t bytes) {
  if (bytes <= (4 << 20)) return {10, 20, 21};
  return bytes <= (16 << 20) ? Turn{4, 6, 15} : Turn{2, 4, 5};
}

// Threads that sleep until a turn is theirs.
class Team {
 public:
  explicit Team(const std::vector<int>& processors) : size_(processors.size()) {
    for (size_t i = 0; i < size_; ++i) threads_.emplace_back([=, this] { main(i, processors[i]); });
  }
  ~Team() {
    run(nullptr);
    for (std::thread& thread : threads_) thread.join();
  }
  size_t size() const { return size_; }

  // Each calls `work` with its number; returns when all have returned. None: they end.
  void run(std::function<void(size_t)> work) {
    std::unique_lock lock(mutex_);
    work_ = std::move(work);
    left_ = size_;
    ++turn_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return left_ == 0; });
  }

 private:
  void main(size_t own, int processor) {
    peers::stayOn(processor);
    for (size_t turn = 1;; ++turn) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return turn_ == turn; });
      const std::function<void(size_t)> work = work_;
      lock.unlock();
      if (work) work(own);
      lock.lock();
      if (--left_ == 0) changed_.notify_all();
      if (!work) return;
    }
  }

  const size_t size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void(size_t)> work_;
  size_t turn_ = 0, left_ = 0;
  std::vector<std::thread> threads_;
};

struct Ranks {
  std::vector<mcclComm_t> comms;
  std::vector<musaStream_t> streams;
  peers::Buffers buffers;

  Ranks(size_t ranks, size_t bytes, bool inPlace) : comms(ranks), streams(ranks) {
    must(mcclCommInitAll(comms.data(), static_cast<int>(ranks), nullptr) == mcclSuccess, "mcclCommInitAll");
    for (size_t i = 0; i < ranks; ++i) {
      void *send = nullptr, *recv = nullptr;
      must(musaSetDevice(static_cast<int>(i)) == musaSuccess &&
               musaStreamCreateWithFlags(&streams[i], musaStreamNonBlocking) == musaSuccess,
           "preparing a device");
      must(
          mcclMemAlloc(&send, bytes) == mcclSuccess && (inPlace || mcclMemAlloc(&recv, bytes) == mcclSuccess),
          "mcclMemAlloc");
      if (inPlace) recv = send;
      must(musaMemset(send, 0, bytes) == musaSuccess && musaMemset(recv, 0, bytes) == musaSuccess &&
               musaDeviceSynchronize() == musaSuccess,
           "clearing");
      buffers.sources.push_back(static_cast<float*>(send));
      buffers.results.push_back(static_cast<float*>(recv));
    }
  }

  void call(size_t count) {
    must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
    for (size_t i = 0; i < comms.size(); ++i) {
      must(mcclAllReduce(buffers.sources[i], buffers.results[i], count, mcclFloat, mcclSum, comms[i],
                         streams[i]) == mcclSuccess,
           "mcclAllReduce");
    }
    must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
  }

  void synchronize() {
    for (musaStream_t stream : streams)
      must(musaStreamSynchronize(stream) == musaSuccess, "musaStreamSynchronize");
  }
};

// Microseconds of one of the timed calls.
template <class Call, class End>
double time(const Turn& turn, Call&& call, End&& end) {
  for (int i = 0; i < turn.before; ++i) call();
  end();
  const double start = peers::now();
  for (int i = 0; i < turn.timed; ++i) call();
  end();
  return (peers::now() - start) / turn.timed;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t ranks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2;
  const size_t bytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1 << 20;
  const bool inPlace = argc > 3 && std::strcmp(argv[3], "in") == 0;
  setenv("MUSASHIM_DEVICES", std::to_string(ranks).c_str(), 0);
  setenv("MUSASHIM_PROTECT", "0", 1);  // the limit's threads may touch devices' memory
  std::vector<int> processors = peers::allowedProcessors();
  if (processors.empty() || ranks == 0) return 1;
  processors.resize(std::min(processors.size(), kMostThreads));
  Ranks mccl(ranks, bytes, inPlace);
  Team team(processors);
  const size_t count = bytes / sizeof(float), threads = team.size();
  Turn turn = turnOf(bytes);
  std::vector<double> ours, called, met;
  const auto work = [&](size_t thread) {
    peers::allReduce(mccl.buffers, count * thread / threads, count * (thread + 1) / threads);
  };
  peers::SpinBarrier barrier(threads);
  peers::Calls calls(threads);
  const double once = time(turn, [&] { mccl.call(count); }, [&] { mccl.synchronize(); });
  turn.before = std::max(turn.before, static_cast<int>(1000 / once));
  for (int round = 0; round < turn.rounds; ++round) {
    ours.push_back(time(turn, [&] { mccl.call(count); }, [&] { mccl.synchronize(); }));
    team.run([&](size_t thread) {
      const auto call = [&] {
        calls.begin(thread);
        work(thread);
        calls.end(thread);
      };
      const double each = time(turn, call, [] {});
      if (thread == 0) called.push_back(each);
    });
    team.run([&](size_t thread) {
      const auto call = [&] {
        work(thread);
        barrier.wait();
      };
      const double each = time(turn, call, [] {});
      if (thread == 0) met.push_back(each);
    });
  }
  const auto least = [](const std::vector<double>& times) { return *std::ranges::min_element(times); };
  std::printf("%zu %zu %s mccl %.2f called %.2f met %.2f least %.2f %.2f %.2f\n", ranks, bytes,
              inPlace ? "in" : "out", peers::median(ours), peers::median(called), peers::median(met),
              least(ours), least(called), least(met));
  for (mcclComm_t comm : mccl.comms) must(mcclCommDestroy(comm) == mcclSuccess, "mcclCommDestroy");
}
