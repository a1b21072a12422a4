// Kernels whose threads wait for each other for ever, one per process: each must end with an error.
//
// usage: never_meet KERNEL; prints the error's name. The device is lost afterwards, as on hardware.
#include <musa_runtime.h>
#include <stdio.h>
#include <string.h>

#include <iterator>

// Half of the block waits at a barrier, the other half for a lane that waits there.
__global__ void barrierAndBallot(unsigned* out) {
  if (threadIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
    __syncthreads();
  }
}

// The mask names a lane that waits with another mask.
__global__ void differentMasks(unsigned* out) {
  unsigned seen;
  if (threadIdx.x % 2 == 0) {
    seen = __ballot_sync(0xffffffffu, 1);
  } else {
    seen = __ballot_sync(0xaaaaaaaau, 1) + __ballot_sync(0xfffffffeu, 1);
  }
  out[threadIdx.x] = seen;
}

// The same in a loop, after rounds that go well.
__global__ void laterRound(unsigned* out, unsigned rounds) {
  unsigned value = threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    __syncthreads();
    if (round == 5 && threadIdx.x % 32 == 3) {
      value += __shfl_sync(0xffffffffu, value, 0, 32);
    } else {
      __syncthreads();
    }
  }
  out[threadIdx.x] = value;
}

__device__ __noinline__ void waitHere(unsigned mask) { __syncwarp(mask); }

// On fibers, because of a barrier in a function that is not inlined.
__global__ void inFunction(unsigned* out) {
  if (threadIdx.x == 7) {
    __syncthreads();
  } else {
    waitHere(0xffffffffu);
  }
  out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
  unsigned* out;
  if (argc != 2 || musaMalloc(&out, 256 * sizeof(unsigned)) != musaSuccess) return 2;
  if (strcmp(argv[1], "barrierAndBallot") == 0) barrierAndBallot<<<1, 32>>>(out);
  if (strcmp(argv[1], "differentMasks") == 0) differentMasks<<<2, 64>>>(out);
  if (strcmp(argv[1], "laterRound") == 0) laterRound<<<1, 128>>>(out, 10);
  if (strcmp(argv[1], "inFunction") == 0) inFunction<<<1, 32>>>(out);
  puts(musaGetErrorName(musaDeviceSynchronize()));
  // What is lost stays lost, and says so.
  puts(musaGetErrorName(musaMemset(out, 0, 4)));
}
