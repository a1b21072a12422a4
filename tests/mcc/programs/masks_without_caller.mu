// Warp operations by lanes that their own mask does not name, which CUDA leaves open: parts of a warp whose
// masks all name the first part, as in CUB's warp-wide scans of nine items. Hardware moves the lanes
// together. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

constexpr int kPart = 9, kParts = 2, kThreads = kPart * kParts;
constexpr unsigned kMask = 0x1ff;

// Sums of a part, as CUB has them.
__device__ int scan(volatile int* shared, int value) {
  const int lane = static_cast<int>(threadIdx.x) % kPart;
  for (int offset = 1; offset < kPart; offset *= 2) {
    shared[lane] = value;
    __syncwarp(kMask);
    if (lane >= offset) value += shared[lane - offset];
    __syncwarp(kMask);
  }
  return value;
}

__global__ void scans(const int* in, int* out) {
  __shared__ int shared[kParts][kPart];
  const int me = static_cast<int>(threadIdx.x);
  out[me] = scan(shared[me / kPart], in[me]);
}

// The lanes that are left out come alone.
__global__ void secondScan(const int* in, int* out) {
  __shared__ int shared[kPart];
  const int me = static_cast<int>(threadIdx.x);
  out[me] = me < kPart ? in[me] : scan(shared, in[me]);
}

__global__ void exchanges(const int* in, int* out, unsigned mask) {
  const int me = static_cast<int>(threadIdx.x);
  const int before = __shfl_sync(mask, in[me], me / kPart * kPart);
  out[me] = before * 1000 + __popc(__ballot_sync(mask, 1));
}

int check(const char* name, const int* found, const int* expected) {
  for (int i = 0; i < kThreads; ++i) {
    if (found[i] == expected[i]) continue;
    printf("%s: thread %d has %d, not %d\n", name, i, found[i], expected[i]);
    return 1;
  }
  return 0;
}

int main() {
  int in[kThreads], scanned[kThreads], second[kThreads], exchanged[kThreads], *dIn = nullptr, *dOut = nullptr;
  for (int i = 0; i < kThreads; ++i) {
    in[i] = 3 * i + 1;
    scanned[i] = in[i] + (i % kPart == 0 ? 0 : scanned[i - 1]);
    second[i] = i < kPart ? in[i] : scanned[i];
    exchanged[i] = in[i / kPart * kPart] * 1000 + kPart;
  }
  musaMalloc(&dIn, sizeof in);
  musaMalloc(&dOut, sizeof in);
  musaMemcpy(dIn, in, sizeof in, musaMemcpyHostToDevice);
  int failures = 0, found[kThreads];
  const auto run = [&](const char* name, const int* expected, auto launch) {
    launch();
    const musaError_t error = musaMemcpy(found, dOut, sizeof found, musaMemcpyDeviceToHost);
    if (error != musaSuccess) printf("%s: %s\n", name, musaGetErrorString(error));
    failures += error != musaSuccess || check(name, found, expected) != 0;
  };
  run("scans", scanned, [&] { scans<<<1, kThreads>>>(dIn, dOut); });
  run("secondScan", second, [&] { secondScan<<<1, kThreads>>>(dIn, dOut); });
  run("exchanges", exchanged, [&] { exchanges<<<1, kThreads>>>(dIn, dOut, kMask); });
  if (failures == 0) printf("lanes that masks leave out move together\n");
  return failures;
}
