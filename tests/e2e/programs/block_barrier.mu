// musa::barrier and musa::pipeline: phases, tokens, threads that leave, producers and consumers.
#include <musa/barrier>
#include <musa/pipeline>

#include <cooperative_groups.h>

#include <utility>

#include "check.h"

using Barrier = musa::barrier<musa::thread_scope_block>;
constexpr int kThreads = 128;

// Each phase reads what the neighbour wrote in the phase before; a barrier that lets a thread through early shows.
__global__ void phases(int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int values[2][kThreads];
  const int me = int(threadIdx.x);
  if (me == 0) init(&barrier, blockDim.x);
  values[0][me] = me;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    values[(round + 1) % 2][me] = values[round % 2][(me + 1) % kThreads] + 1;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
  out[me] = values[rounds % 2][me];
}

// One thread after the other leaves: the others' phases must end without it, and not before the rest arrived.
__global__ void leaving(int* out) {
  __shared__ Barrier barrier;
  __shared__ int arrived[kThreads];
  const int me = int(threadIdx.x);
  if (me == 0) init(&barrier, blockDim.x);
  arrived[me] = 0;
  __syncthreads();
  int errors = 0;
  for (int phase = 0; phase < me; ++phase) {
    atomicAdd(&arrived[phase], 1);
    barrier.arrive_and_wait();
    if (arrived[phase] != kThreads - 1 - phase) ++errors;
  }
  barrier.arrive_and_drop();
  out[me] = errors;
}

// The upper half of the block fills stages, the lower half sums what the others brought.
__global__ void produceAndConsume(const int* in, int* out, int tiles) {
  constexpr int kStages = 3, kHalf = kThreads / 2;
  __shared__ musa::pipeline_shared_state<musa::thread_scope_block, kStages> state;
  __shared__ int stage[kStages][kHalf];
  const bool produces = threadIdx.x >= kHalf;
  auto pipe = musa::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                  produces ? musa::pipeline_role::producer : musa::pipeline_role::consumer);
  const int lane = int(threadIdx.x) % kHalf;
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (produces) {
      pipe.producer_acquire();
      musa::memcpy_async(&stage[tile % kStages][lane], in + tile * kHalf + lane, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum = sum * 3 + stage[tile % kStages][kHalf - 1 - lane];
      pipe.consumer_release();
    }
  }
  if (!produces) out[lane] = sum;
}

void checkPhases(int rounds) {
  DeviceArray<int> out(kThreads);
  phases<<<1, kThreads>>>(out.get(), rounds);
  int host[kThreads];
  out.copyTo(host);
  for (int i = 0; i < kThreads; ++i) CHECK(host[i] == (i + rounds) % kThreads + rounds);
}

void checkLeaving() {
  DeviceArray<int> out(kThreads);
  leaving<<<1, kThreads>>>(out.get());
  int host[kThreads];
  out.copyTo(host);
  for (int errors : host) CHECK(errors == 0);
}

void checkPipeline() {
  constexpr int kTiles = 10, kHalf = kThreads / 2;
  int input[kTiles * kHalf], host[kHalf];
  for (int i = 0; i < kTiles * kHalf; ++i) input[i] = i * 7 % 101;
  DeviceArray<int> in(kTiles * kHalf), out(kHalf);
  CHECK_MUSA(musaMemcpy(in.get(), input, sizeof(input), musaMemcpyHostToDevice));
  produceAndConsume<<<1, kThreads>>>(in.get(), out.get(), kTiles);
  out.copyTo(host);
  for (int lane = 0; lane < kHalf; ++lane) {
    int sum = 0;
    for (int tile = 0; tile < kTiles; ++tile) sum = sum * 3 + input[tile * kHalf + kHalf - 1 - lane];
    CHECK(host[lane] == sum);
  }
}

int main() {
  checkPhases(1);
  checkPhases(40);
  checkLeaving();
  checkPipeline();
  std::puts("passed");
}
