// Barrier objects in shared memory by inline PTX: arrivals, waits by state and by parity, threads that leave.
#include <cuda_awbarrier_primitives.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_barriers");

constexpr int kThreads = 96;

__device__ unsigned inShared(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void waitParity(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// Each round's values are read by other threads in the next phase.
__global__ void phases(int* out, int rounds) {
  __shared__ unsigned long long object;
  __shared__ int values[2][kThreads];
  const int me = static_cast<int>(threadIdx.x);
  const unsigned barrier = inShared(&object);
  if (me == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(kThreads) : "memory");
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    values[round % 2][me] = me * 3 + round;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
    if (round % 3 == 0) {
      unsigned done = 0;
      while (done == 0) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier), "l"(state)
                     : "memory");
      }
    } else {
      waitParity(barrier, static_cast<unsigned>(round % 2));
    }
    sum = sum * 7 + values[round % 2][kThreads - 1 - me];
  }
  out[me] = sum;
}

// Producers fill a ring that consumers empty: full and empty are barriers of half the block each.
__global__ void ring(const int* in, int* out, int rounds) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ int slots[2][32];
  const int me = static_cast<int>(threadIdx.x) % 32;
  const bool produces = threadIdx.x < 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(inShared(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(inShared(&empty[i])) : "memory");
    }
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int slot = round % 2;
    const unsigned turn = static_cast<unsigned>(round / 2 % 2);
    if (produces) {
      waitParity(inShared(&empty[slot]), turn ^ 1u);
      slots[slot][me] = in[round * 32 + me] * 2;
      asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(inShared(&full[slot]))
                   : "memory");
    } else {
      waitParity(inShared(&full[slot]), turn);
      out[round * 32 + me] = slots[slot][31 - me] + round;
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(inShared(&empty[slot])) : "memory");
    }
  }
}

// A third of the threads leaves for good.
__global__ void leaving(int* out) {
  __shared__ unsigned long long object;
  const int me = static_cast<int>(threadIdx.x);
  const unsigned barrier = inShared(&object);
  if (me == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(kThreads) : "memory");
  __syncthreads();
  unsigned long long state;
  if (me % 3 == 0) {
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
    out[me] = -1;
    return;
  }
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  unsigned pending;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
  waitParity(barrier, 0);
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  waitParity(barrier, 1);
  out[me] = pending >= 1 && pending <= kThreads ? 5 : 0;
}

int main() {
  const DeviceArray<int> out(kThreads);
  phases<<<1, kThreads>>>(out.data(), 11);
  OBSERVE("phases", joined(out.read()));
  std::vector<int> numbers;
  for (int i = 0; i < 9 * 32; ++i) numbers.push_back(i * i % 251);
  const DeviceArray<int> in(numbers);
  const DeviceArray<int> through(9 * 32);
  ring<<<1, 64>>>(in.data(), through.data(), 9);
  OBSERVE("ring", joined(through.read()));
  const DeviceArray<int> left(kThreads);
  leaving<<<1, kThreads>>>(left.data());
  OBSERVE("leaving", joined(left.read()));
}
