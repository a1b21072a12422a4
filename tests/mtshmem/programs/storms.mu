// A ring, a storm of barriers and random atomics, from kernels of all PEs, while each PE's process has
// kernels and copies of its own on all its devices: storms SEED [ROUNDS].
#include "busy_devices.h"
#include "check.h"

namespace {

constexpr int kCounters = 16;

struct Storm {
  unsigned long long *sums, *bits, *swaps;
  uint64_t* flags;
  int* tokens;
  int* wrong;
};

__device__ unsigned next(unsigned& state) {
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return state;
}

// Each block has a ring of its own.
__global__ void ring(Storm storm, int rounds) {
  if (threadIdx.x != 0) return;
  const int me = mtshmem_my_pe(), n = mtshmem_n_pes(), after = (me + 1) % n;
  uint64_t* const flag = storm.flags + blockIdx.x;
  int* const token = storm.tokens + blockIdx.x;
  for (int round = 1; round <= rounds; ++round) {
    if (me != 0 || round > 1) mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, me == 0 ? round - 1 : round);
    const int value = *static_cast<volatile int*>(token) + 1;
    mtshmem_int_put_signal(token, &value, 1, flag, round, MTSHMEM_SIGNAL_SET, after);
  }
  if (me != 0) return;
  mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, rounds);
  if (*static_cast<volatile int*>(token) != n * rounds) atomicAdd(storm.wrong, 1);
}

// Nobody is behind a barrier that another has not reached.
__global__ void barriers(Storm storm, mtshmem_team_t team, int rounds) {
  const int n = mtshmem_n_pes(), me = mtshmem_my_pe();
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x == 0) mtshmem_int_p(storm.tokens + 8 + me % 2, round, (me + 1) % n);
    mtshmemx_barrier_all_block();
    if (threadIdx.x == 0 && *static_cast<volatile int*>(storm.tokens + 8 + (me + n - 1) % n % 2) != round)
      atomicAdd(storm.wrong, 1);
    if (threadIdx.x < 32) mtshmemx_team_sync_warp(team);
    __syncthreads();
    if (threadIdx.x == 0) mtshmem_sync_all();
  }
}

__global__ void atomics(Storm storm, unsigned seed, int rounds) {
  const int n = mtshmem_n_pes();
  unsigned state = seed * 2654435761u + mtshmem_my_pe() * 7919 + blockIdx.x * 104729 + threadIdx.x + 1;
  for (int round = 0; round < rounds; ++round) {
    const int pe = next(state) % n, at = next(state) % kCounters;
    switch (next(state) % 4) {
      case 0:
        mtshmem_ulonglong_atomic_inc(storm.sums + at, pe);
        break;
      case 1:
        mtshmem_ulonglong_atomic_fetch_add(storm.sums + at, 1, pe);
        break;
      case 2: {
        unsigned long long seen = mtshmem_ulonglong_atomic_fetch(storm.sums + at, pe), before;
        while ((before = mtshmem_ulonglong_atomic_compare_swap(storm.sums + at, seen, seen + 1, pe)) != seen)
          seen = before;
        break;
      }
      default:  // twice: as it was
        mtshmem_ulonglong_atomic_xor(storm.bits + at, 1ULL << at, pe);
        mtshmem_ulonglong_atomic_fetch_xor(storm.bits + at, 1ULL << at, pe);
        mtshmem_ulonglong_atomic_add(storm.sums + at, 1, pe);
    }
  }
}

// Calls of the host and of the heap's streams, while another device is the thread's: the ring of neighbours.
void checkElsewhere(int device, const Storm& storm, int rounds) {
  int devices = 0;
  MUSA(musaGetDeviceCount(&devices));
  const int n = mtshmem_n_pes(), me = mtshmem_my_pe(), after = (me + 1) % n;
  int* const token = storm.tokens + 12;
  uint64_t* const flag = storm.flags + 6;
  musaStream_t stream;
  MUSA(musaStreamCreate(&stream));
  for (int round = 1; round <= rounds; ++round) {
    MUSA(musaSetDevice((device + round) % devices));
    mtshmem_int_p(token, round + me, after);
    mtshmemx_signal_op_on_stream(flag, 1, MTSHMEM_SIGNAL_ADD, after, stream);
    mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, round);
    CHECK(mtshmem_int_g(token, me) == round + (me + n - 1) % n);
    mtshmemx_barrier_all_on_stream(stream);
    MUSA(musaStreamSynchronize(stream));
  }
  MUSA(musaStreamDestroy(stream));
  MUSA(musaSetDevice(device));
}

}  // namespace

int main(int argc, char** argv) {
  mtshmem_init();
  chooseDevice();
  int device = 0;
  MUSA(musaGetDevice(&device));
  const int n = mtshmem_n_pes(), me = mtshmem_my_pe();
  const unsigned seed = argc > 1 ? std::atoi(argv[1]) : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  Storm storm{};
  storm.sums = static_cast<unsigned long long*>(mtshmem_calloc(kCounters, 8));
  storm.bits = static_cast<unsigned long long*>(mtshmem_calloc(kCounters, 8));
  storm.flags = static_cast<uint64_t*>(mtshmem_calloc(8, 8));
  storm.tokens = static_cast<int*>(mtshmem_calloc(16, 4));
  storm.wrong = static_cast<int*>(mtshmem_calloc(1, 4));
  mtshmem_team_t half = MTSHMEM_TEAM_INVALID;
  for (int first = 0; first < 2 && first < n; ++first) {
    mtshmem_team_t made = MTSHMEM_TEAM_INVALID;
    CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, first, 2, (n - first + 1) / 2, nullptr, 0, &made) ==
          0);
    if (me % 2 == first) half = made;
  }
  musaStream_t streams[2];
  for (musaStream_t& stream : streams) MUSA(musaStreamCreate(&stream));
  BusyDevices others(seed);
  ring<<<4, 32, 0, streams[0]>>>(storm, rounds);
  atomics<<<3, 32, 0, streams[1]>>>(storm, seed, rounds);
  MUSA(musaDeviceSynchronize());
  barriers<<<1, 64, 0, streams[0]>>>(storm, half, rounds);
  atomics<<<3, 32, 0, streams[1]>>>(storm, seed + 1, rounds);
  MUSA(musaDeviceSynchronize());
  checkElsewhere(device, storm, rounds);
  CHECK(others.end());
  mtshmem_barrier_all();
  unsigned long long sum = 0, bits = 0;
  for (int pe = 0; pe < n; ++pe) {
    for (int i = 0; i < kCounters; ++i) {
      sum += mtshmem_ulonglong_g(storm.sums + i, pe);
      bits |= mtshmem_ulonglong_g(storm.bits + i, pe);
    }
  }
  CHECK(sum == 2ULL * 3 * 32 * rounds * n);
  CHECK(bits == 0);
  CHECK(fetch(storm.wrong) == 0);
  mtshmem_barrier_all();
  return finish();
}
