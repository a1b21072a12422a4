// A PE without kernels, for sanitizers: the library's threads, those of streams, the program's, and threads
// that ask as kernels do, and work of the process on all its devices, at the same time. storm SEED ROUNDS, by
// mtshmrun.
#include <musa_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "libs/core/memory_access.h"
#include "mtshmem/host/entries.h"

namespace {

constexpr int kCounters = 16, kAskers = 3;
std::atomic<int> gWrong{0};

void check(bool right, const char* what) {
  if (right) return;
  std::printf("PE %d: wrong: %s\n", mtshmem_my_pe(), what);
  ++gWrong;
}
#define CHECK(condition) check(condition, #condition)

// An addition as a kernel's thread does it: the same text, but for the way to other hosts.
void addAsKernel(uint64_t* at, uint64_t value, int pe) {
  if (!mtshmemi::isFar(pe)) return mtshmemi::atomicAdd(at, value, pe);
  mtshmemi_request_t request = mtshmemi::requestOf(MTSHMEMI_ADD, at, pe);
  request.operand = value;
  request.bytes = request.width = sizeof value;
  mtshmemi::state().ask(&request);
}

void getAsKernel(uint64_t* to, const uint64_t* from, size_t count, int pe) {
  if (!mtshmemi::isFar(pe)) return mtshmemi::get<mtshmemi::Thread>(to, from, count * sizeof *to, pe);
  mtshmemi_request_t request = mtshmemi::requestOf(MTSHMEMI_GET, from, pe);
  request.local = to;
  request.bytes = count * sizeof *to;
  request.isWaitedFor = 1;
  mtshmemi::state().ask(&request);
}

void ring(uint64_t* flag, int* token, int rounds) {
  const int me = mtshmem_my_pe(), n = mtshmem_n_pes();
  for (int round = 1; round <= rounds; ++round) {
    const auto turn = static_cast<uint64_t>(round);
    if (me != 0 || round > 1) mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, me == 0 ? turn - 1 : turn);
    const int value = mtshmem_int_g(token, me) + 1;
    mtshmem_int_put_signal(token, &value, 1, flag, turn, MTSHMEM_SIGNAL_SET, (me + 1) % n);
  }
  if (me != 0) return;
  mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, static_cast<uint64_t>(rounds));
  CHECK(mtshmem_int_g(token, me) == n * rounds);
}

// Fills and copies between this device and the next that have nothing to do with MTSHMEM.
void useDevice(int device, int devices, int rounds) {
  constexpr size_t kBytes = 5000;
  const int other = (device + 1) % devices;
  char *here = nullptr, *there = nullptr;
  musaStream_t stream = nullptr;
  CHECK(musaSetDevice(other) == musaSuccess &&
        musaMalloc(reinterpret_cast<void**>(&there), kBytes) == musaSuccess);
  CHECK(musaSetDevice(device) == musaSuccess &&
        musaMalloc(reinterpret_cast<void**>(&here), kBytes) == musaSuccess);
  CHECK(musaStreamCreate(&stream) == musaSuccess);
  for (int round = 0; round < rounds; ++round) {
    std::vector<char> got(kBytes);
    CHECK(musaMemsetAsync(here, round + device, kBytes, stream) == musaSuccess);
    CHECK(musaMemcpyPeerAsync(there, other, here, device, kBytes, stream) == musaSuccess);
    CHECK(musaMemcpyAsync(got.data(), there, kBytes, musaMemcpyDefault, stream) == musaSuccess);
    CHECK(musaStreamSynchronize(stream) == musaSuccess);
    CHECK(got == std::vector<char>(kBytes, static_cast<char>(round + device)));
  }
  CHECK(musaStreamDestroy(stream) == musaSuccess && musaFree(here) == musaSuccess &&
        musaFree(there) == musaSuccess);
}

// The thread has another device than the heap's.
void ringElsewhere(uint64_t* flag, int rounds) {
  int devices = 0, device = 0;
  CHECK(musaGetDeviceCount(&devices) == musaSuccess && musaGetDevice(&device) == musaSuccess);
  for (int round = 1; round <= rounds; ++round) {
    CHECK(musaSetDevice((device + round) % devices) == musaSuccess);
    const int after = (mtshmem_my_pe() + 1) % mtshmem_n_pes();
    mtshmemx_signal_op(flag, 1, MTSHMEM_SIGNAL_ADD, after);
    mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, static_cast<uint64_t>(round));
  }
  CHECK(musaSetDevice(device) == musaSuccess);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  mtshmem_init();
  const int n = mtshmem_n_pes(), me = mtshmem_my_pe();
  int devices = 0;
  CHECK(musaGetDeviceCount(&devices) == musaSuccess && musaSetDevice(me % devices) == musaSuccess);
  auto* sums = static_cast<uint64_t*>(mtshmem_calloc(kCounters, sizeof(uint64_t)));
  auto* flags = static_cast<uint64_t*>(mtshmem_calloc(3, sizeof(uint64_t)));
  auto* tokens = static_cast<int*>(mtshmem_calloc(4, sizeof(int)));
  auto* longs = static_cast<long*>(mtshmem_calloc(2 * 64, sizeof(long)));
  auto* steady = static_cast<uint64_t*>(mtshmem_calloc(4, sizeof(uint64_t)));  // nobody writes it any more
  for (int i = 0; i < 4; ++i) mtshmem_uint64_p(steady + i, static_cast<uint64_t>(10 * me + i), me);
  mtshmem_barrier_all();
  musaStream_t streams[2];
  for (musaStream_t& stream : streams) CHECK(musaStreamCreate(&stream) == musaSuccess);
  std::vector<std::thread> askers;
  for (int asker = 0; asker < kAskers; ++asker) {
    askers.emplace_back([=] {
      const musashim::libs::MemoryAccess access;
      std::minstd_rand random(seed * 1000 + static_cast<unsigned>(me * kAskers + asker));
      for (int round = 0; round < rounds; ++round) {
        const int pe = static_cast<int>(random() % static_cast<unsigned>(n));
        addAsKernel(sums + random() % kCounters, 1, pe);
        uint64_t seen[4];
        getAsKernel(seen, steady, 4, pe);
        CHECK(seen[3] == static_cast<uint64_t>(10 * pe + 3));
      }
    });
  }
  std::vector<std::thread> users;
  for (int device = 0; device < devices; ++device) users.emplace_back(useDevice, device, devices, rounds);
  // Work of streams beside: puts in order, and barriers of all PEs' streams.
  for (int round = 1; round <= rounds; ++round) {
    mtshmemx_int_p_on_stream(tokens + 2, round, (me + 1) % n, streams[0]);
    mtshmemx_signal_op_on_stream(flags + 1, 1, MTSHMEM_SIGNAL_ADD, (me + 1) % n, streams[1]);
  }
  mtshmemx_signal_wait_until_on_stream(flags + 1, MTSHMEM_CMP_GE, static_cast<uint64_t>(rounds), streams[1]);
  ring(flags, tokens, rounds);
  ringElsewhere(flags + 2, rounds);
  for (std::thread& asker : askers) asker.join();
  for (std::thread& user : users) user.join();
  for (musaStream_t stream : streams) CHECK(musaStreamSynchronize(stream) == musaSuccess);
  for (int round = 0; round < rounds; ++round) {  // the storm of barriers
    mtshmem_barrier_all();
    if (round % 2 == 0) mtshmem_sync_all();
  }
  mtshmem_team_t odd = MTSHMEM_TEAM_INVALID;
  if (n > 1) CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 1, 2, n / 2, nullptr, 0, &odd) == 0);
  for (int round = 0; round < rounds && odd != MTSHMEM_TEAM_INVALID; ++round) mtshmem_team_sync(odd);
  uint64_t sum = 0;
  for (int pe = 0; pe < n; ++pe) {
    for (int i = 0; i < kCounters; ++i) sum += mtshmem_uint64_g(sums + i, pe);
  }
  CHECK(sum == static_cast<uint64_t>(kAskers * rounds * n));
  CHECK(mtshmem_int_g(tokens + 2, me) == rounds);
  for (int i = 0; i < 64; ++i) mtshmem_long_p(longs + i, me + i, me);
  mtshmem_long_sum_reduce(MTSHMEM_TEAM_WORLD, longs + 64, longs, 64);
  CHECK(mtshmem_long_g(longs + 64 + 5, me) == n * (n - 1) / 2 + 5 * n);
  mtshmem_barrier_all();
  mtshmem_finalize();
  if (gWrong == 0) std::printf("PE %d: passed\n", me);
  return gWrong != 0;
}
