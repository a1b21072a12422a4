// <musa/barrier> alone brings the names of musa::std that its users' code takes for granted, as libcu++'s
// does.
#include <cstdio>
#include <musa/barrier>

using Barrier = musa::barrier<musa::thread_scope_block>;

__global__ void sum(unsigned* out) {
  __shared__ musa::std::aligned_storage_t<sizeof(Barrier), alignof(Barrier)> memory;
  __shared__ unsigned values[64];
  Barrier& barrier = *reinterpret_cast<Barrier*>(&memory);
  if (threadIdx.x == 0) new (&barrier) Barrier(blockDim.x);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  Barrier::arrival_token token = barrier.arrive();
  barrier.wait(musa::std::move(token));
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < 64; ++i) *out += values[i];
}

int main() {
  unsigned* out;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  *out = 0;
  sum<<<1, 64>>>(out);
  if (musaDeviceSynchronize() != musaSuccess || *out != 64 * 63 / 2) return std::printf("%u\n", *out), 1;
  return 0;
}
