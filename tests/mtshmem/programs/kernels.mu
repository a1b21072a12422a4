// MTSHMEM inside kernels: threads, warps and blocks; kernels of all PEs that wait for each other.
#include "check.h"

namespace {

__global__ void puts(int* box, int* wrong) {
  const int me = mtshmem_my_pe(), n = mtshmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
  __shared__ int values[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) values[i] = 1000 * me + i;
  __syncthreads();
  mtshmemx_int_put_block(box, values, 256, next);
  if (threadIdx.x < warpSize) mtshmemx_int_put_nbi_warp(box + 256, values, 100, next);
  if (threadIdx.x == 0) mtshmem_int_p(box + 400, me, next);
  __syncthreads();
  mtshmemx_barrier_all_block();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (box[i] != 1000 * before + i || (i < 100 && box[256 + i] != 1000 * before + i)) atomicAdd(wrong, 1);
  }
  if (threadIdx.x == 0 && (box[400] != before || mtshmem_int_g(box + 400, next) != me)) atomicAdd(wrong, 1);
  mtshmemx_barrier_all_block();
}

__global__ void ring(uint64_t* flag, int* token, int rounds) {
  const int me = mtshmem_my_pe(), n = mtshmem_n_pes();
  for (int round = 1; round <= rounds; ++round) {
    if (me != 0 || round > 1) mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, me == 0 ? round - 1 : round);
    const int value = *reinterpret_cast<volatile int*>(token) + 1;
    mtshmem_int_put_signal(token, &value, 1, flag, round, MTSHMEM_SIGNAL_SET, (me + 1) % n);
  }
  if (me == 0) mtshmem_signal_wait_until(flag, MTSHMEM_CMP_GE, rounds);
}

__global__ void storm(unsigned long long* count, int rounds) {
  const int n = mtshmem_n_pes();
  for (int round = 0; round < rounds; ++round) {
    mtshmem_ulonglong_atomic_add(count + threadIdx.x % 4, 1, (mtshmem_my_pe() + round + threadIdx.x) % n);
    mtshmemx_sync_all_block();
  }
}

__global__ void collectives(mtshmem_team_t team, int* to, int* from, int count, int* wrong) {
  const int size = mtshmem_team_n_pes(team), rank = mtshmem_team_my_pe(team);
  for (int i = threadIdx.x; i < count * size; i += blockDim.x) from[i] = rank + i;
  const auto check = [&](int i, int expected) {
    if (to[i] != expected) atomicAdd(wrong, 1);
  };
  __syncthreads();
  mtshmemx_int_sum_reduce_block(team, to, from, count);
  for (int i = threadIdx.x; i < count; i += blockDim.x) check(i, size * (size - 1) / 2 + i * size);
  __syncthreads();
  mtshmemx_int_fcollect_block(team, to, from, count);
  for (int i = threadIdx.x; i < count * size; i += blockDim.x) check(i, i / count + i % count);
  __syncthreads();
  mtshmemx_int_alltoall_block(team, to, from, count);
  for (int i = threadIdx.x; i < count * size; i += blockDim.x) check(i, i / count + rank * count + i % count);
  __syncthreads();
  if (threadIdx.x < warpSize) mtshmemx_int_broadcast_warp(team, to, from, count, size - 1);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) check(i, size - 1 + i);
  __syncthreads();
  if (threadIdx.x == 0) mtshmem_int_max_reduce(team, from, from, count);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    if (from[i] != size - 1 + i) atomicAdd(wrong, 1);
  }
}

// All blocks of all PEs are there at the same time.
__global__ void together(unsigned long long* count) {
  if (threadIdx.x != 0) return;
  mtshmem_ulonglong_atomic_inc(count, 0);
  const auto all = static_cast<unsigned long long>(gridDim.x) * mtshmem_n_pes();
  while (mtshmem_ulonglong_atomic_fetch(count, 0) < all) __nanosleep(200);
}

}  // namespace

int main(int argc, char** argv) {
  mtshmem_init();
  chooseDevice();
  const int n = mtshmem_n_pes(), me = mtshmem_my_pe(), rounds = argc > 1 ? std::atoi(argv[1]) : 50;
  auto* box = static_cast<int*>(mtshmem_calloc(100000, sizeof(int)));
  auto* wrong = static_cast<int*>(mtshmem_calloc(1, sizeof(int)));
  auto* flag = static_cast<uint64_t*>(mtshmem_calloc(1, sizeof(uint64_t)));
  auto* count = static_cast<unsigned long long*>(mtshmem_calloc(8, sizeof(unsigned long long)));
  puts<<<1, 256>>>(box, wrong);
  MUSA(musaDeviceSynchronize());
  CHECK(fetch(wrong) == 0);
  MUSA(musaMemset(box, 0, 4));
  MUSA(musaDeviceSynchronize());  // barrier_all waits for no stream
  mtshmem_barrier_all();
  ring<<<1, 1>>>(flag, box, rounds);
  MUSA(musaDeviceSynchronize());
  mtshmem_barrier_all();
  if (me == 0) CHECK(fetch(box) == n * rounds);
  storm<<<1, 64>>>(count, rounds);
  MUSA(musaDeviceSynchronize());
  mtshmem_barrier_all();
  unsigned long long sum = 0;
  for (int pe = 0; pe < n; ++pe) {
    for (int i = 0; i < 4; ++i) sum += mtshmem_ulonglong_g(count + i, pe);
  }
  CHECK(sum == 64ULL * rounds * n);
  collectives<<<1, 128>>>(MTSHMEM_TEAM_WORLD, box + 50000, box, 1000, wrong);
  MUSA(musaDeviceSynchronize());
  mtshmem_team_t even;
  CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, nullptr, 0, &even) == 0);
  if (even != MTSHMEM_TEAM_INVALID) {
    collectives<<<1, 64>>>(even, box + 50000, box, 100, wrong);
    MUSA(musaDeviceSynchronize());
  }
  CHECK(fetch(wrong) == 0);
  mtshmem_barrier_all();
  unsigned long long* meeting = count + 7;
  void* arguments[] = {&meeting};
  int blocks = 0;
  CHECK(mtshmemx_collective_launch_query_gridsize(reinterpret_cast<const void*>(together), 32, arguments, 0,
                                                  &blocks) == 0 &&
        blocks > 0);
  CHECK(mtshmemx_collective_launch(reinterpret_cast<const void*>(together), 4, 32, arguments, 0, nullptr) ==
        0);
  MUSA(musaDeviceSynchronize());
  mtshmem_barrier_all();
  mtshmem_free(count);
  mtshmem_free(flag);
  mtshmem_free(wrong);
  mtshmem_free(box);
  return finish();
}
