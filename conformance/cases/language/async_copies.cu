// Barriers that are arrived at and waited for apart, asynchronous copies to shared memory, pipelines.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.async_copies");

namespace cg = cooperative_groups;
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128;

#pragma nv_diag_suppress static_var_with_dynamic_init

// Half of the threads produce, half consume, through two barriers.
__global__ void handOver(int* out) {
  __shared__ BlockBarrier full, empty;
  __shared__ int values[kThreads / 2];
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  const int slot = me % (kThreads / 2);
  int sum = 0;
  for (int round = 0; round < 5; ++round) {
    if (me < kThreads / 2) {
      values[slot] = round * 1000 + me;
      full.arrive_and_wait();
      empty.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      sum += values[kThreads / 2 - 1 - slot];
      empty.arrive_and_wait();
    }
  }
  if (me >= kThreads / 2) out[slot] = sum;
}

__global__ void tokens(int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) init(&barrier, kThreads);
  __syncthreads();
  values[me] = me * me;
  BlockBarrier::arrival_token token = barrier.arrive();
  const int meanwhile = me * 3;
  barrier.wait(std::move(token));
  out[me] = values[kThreads - 1 - me] + meanwhile;
}

// Threads that leave for good are not waited for.
__global__ void dropping(int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int count;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) {
    init(&barrier, kThreads);
    count = 0;
  }
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (me % 4 < round) {
      barrier.arrive_and_drop();
      return;
    }
    atomicAdd(&count, 1);
    barrier.arrive_and_wait();
    if (me == kThreads - 1) out[round] = count;
    barrier.arrive_and_wait();
  }
}

__global__ void copyWithBarrier(const int* in, int* out, int count) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) int values[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  const auto block = cg::this_thread_block();
  if (me == 0) init(&barrier, kThreads);
  __syncthreads();
  int sum = 0;
  for (int first = 0; first < count; first += kThreads) {
    cuda::memcpy_async(block, values, in + first, sizeof(int) * kThreads, barrier);
    barrier.arrive_and_wait();
    sum += values[(me * 7) % kThreads];
    block.sync();
  }
  out[me] = sum;
}

__global__ void copyOfGroup(const int* in, int* out, int count) {
  extern __shared__ int values[];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, values, in, sizeof(int) * count);
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) out[i] = values[count - 1 - i];
}

// Two stages: the next piece comes while this one is used.
__global__ void pipelined(const int* in, int* out, int pieces) {
  __shared__ alignas(16) int stages[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int me = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int piece = 0, fetched = 0; piece < pieces; ++piece) {
    for (; fetched < pieces && fetched < piece + 2; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stages[fetched % 2], in + fetched * kThreads, sizeof(int) * kThreads,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum = sum * 3 + stages[piece % 2][kThreads - 1 - me];
    pipeline.consumer_release();
  }
  out[me] = sum;
}

__global__ void ownPipeline(const int* in, int* out) {
  __shared__ int values[kThreads];
  auto pipeline = cuda::make_pipeline();
  const int me = static_cast<int>(threadIdx.x);
  pipeline.producer_acquire();
  cuda::memcpy_async(&values[me], in + me, sizeof(int), pipeline);
  pipeline.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipeline);
  out[me] = values[me] * 2;
  pipeline.consumer_release();
}

int main() {
  std::vector<int> in(kThreads * 6);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 37 % 1001);
  DeviceArray<int> source(in), out(kThreads), half(kThreads / 2), rounds(4), all(in.size());
  handOver<<<1, kThreads>>>(half.data());
  OBSERVE("hand_over", joined(half.read()));
  tokens<<<1, kThreads>>>(out.data());
  OBSERVE("tokens", joined(out.read()));
  dropping<<<1, kThreads>>>(rounds.data());
  OBSERVE("dropping", joined(rounds.read()));
  copyWithBarrier<<<1, kThreads>>>(source.data(), out.data(), static_cast<int>(in.size()));
  OBSERVE("copy_with_barrier", joined(out.read()));
  copyOfGroup<<<1, kThreads, in.size() * sizeof(int)>>>(source.data(), all.data(),
                                                        static_cast<int>(in.size()));
  OBSERVE("copy_of_group", joined(all.read()));
  pipelined<<<1, kThreads>>>(source.data(), out.data(), 6);
  OBSERVE("pipelined", joined(out.read()));
  ownPipeline<<<1, kThreads>>>(source.data(), out.data());
  OBSERVE("own_pipeline", joined(out.read()));
}
