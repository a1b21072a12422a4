// Not a test: an all-reduce of 4 ranks beside copying the same traffic on the same streams.
// An all-reduce of n ranks reads and writes every rank's buffer at least once, as n copies do.
#include <musa_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mccl.h"

namespace {

constexpr int kRanks = 4;
constexpr size_t kMaxBytes = 64 << 20;

struct Rank {
  mcclComm_t comm;
  musaStream_t stream;
  void *send, *recv;
  size_t bytes;
};

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed: %s\n", what, mcclGetLastError(nullptr));
  std::exit(1);
}

void copy(void* data) {
  const Rank& rank = *static_cast<Rank*>(data);
  std::memcpy(rank.recv, rank.send, rank.bytes);
}

void queueAllReduces(std::vector<Rank>& ranks) {
  must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
  for (Rank& r : ranks) {
    must(mcclAllReduce(r.send, r.recv, r.bytes / 4, mcclFloat, mcclSum, r.comm, r.stream) == mcclSuccess,
         "mcclAllReduce");
  }
  must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
}

void queueCopies(std::vector<Rank>& ranks) {
  for (Rank& r : ranks) must(musaLaunchHostFunc(r.stream, copy, &r) == musaSuccess, "musaLaunchHostFunc");
}

// Median time of one call with its synchronisation, in microseconds.
template <class Queue>
double measure(std::vector<Rank>& ranks, Queue&& queue) {
  const int rounds = ranks[0].bytes > (8 << 20) ? 7 : 41;
  std::vector<double> times;
  for (int round = -2; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    queue(ranks);
    for (Rank& r : ranks) must(musaStreamSynchronize(r.stream) == musaSuccess, "musaStreamSynchronize");
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    if (round >= 0) times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  setenv("MUSASHIM_DEVICES", "4", 0);
  mcclComm_t comms[kRanks];
  must(mcclCommInitAll(comms, kRanks, nullptr) == mcclSuccess, "mcclCommInitAll");
  std::vector<Rank> ranks(kRanks);
  for (int i = 0; i < kRanks; ++i) {
    Rank& r = ranks[i];
    r.comm = comms[i];
    must(musaSetDevice(i) == musaSuccess, "musaSetDevice");
    must(musaStreamCreate(&r.stream) == musaSuccess, "musaStreamCreate");
    must(musaMalloc(&r.send, kMaxBytes) == musaSuccess && musaMalloc(&r.recv, kMaxBytes) == musaSuccess,
         "musaMalloc");
    must(musaMemset(r.send, 0, kMaxBytes) == musaSuccess && musaMemset(r.recv, 0, kMaxBytes) == musaSuccess,
         "musaMemset");
  }
  std::printf("%12s %14s %14s %8s %12s\n", "bytes", "allreduce us", "copies us", "ratio", "busbw GB/s");
  for (size_t bytes = 4096; bytes <= kMaxBytes; bytes *= 4) {
    for (Rank& r : ranks) r.bytes = bytes;
    const double reduce = measure(ranks, queueAllReduces), copies = measure(ranks, queueCopies);
    const double busBandwidth = static_cast<double>(bytes) * 2 * (kRanks - 1) / kRanks / reduce / 1e3;
    std::printf("%12zu %14.1f %14.1f %8.2f %12.2f\n", bytes, reduce, copies, reduce / copies, busBandwidth);
  }
  for (Rank& r : ranks) must(mcclCommDestroy(r.comm) == mcclSuccess, "mcclCommDestroy");
}
