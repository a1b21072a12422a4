// Lanes of a warp that read each other's elements, then write their own in the same place, with no barrier
// between the read and the write: on hardware one load serves all lanes before the store begins.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.in_place");

constexpr int kThreads = 128;

using Kernel = void (*)(int* out, const int* in, int* place);

__host__ __device__ constexpr int sourceOf(int shape, int lane) {
  return shape == 0   ? 0
         : shape == 1 ? (lane + 1) % 32
         : shape == 2 ? (lane + 31) % 32
         : shape == 3 ? 31 - lane
                      : lane ^ 5;
}

// --- Moves ----------------------------------------------------------------------------------------

template <int kShape, typename Element>
__global__ void moved(int* out, const int* in, int*) {
  __shared__ Element s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = static_cast<Element>(in[t]);
  __syncthreads();
  const Element x = s[base + sourceOf(kShape, lane)];
  s[t] = static_cast<Element>(x + 1);
  __syncthreads();
  out[t] = static_cast<int>(s[t]);
}

// Where the element is written is known when memory has been read.
__global__ void movedTo(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = in[t];
  __syncthreads();
  const int x = s[base + (lane ^ 5)];
  int at = t;
  for (int i = 0; i < 4; ++i) at = place[at];
  s[at] = x + 1;
  __syncthreads();
  out[t] = s[t];
}

// Where it is read is.
__global__ void gathered(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const int x = s[place[t ^ 9]];
  s[t] = x + 1;
  __syncthreads();
  out[t] = s[t];
}

__global__ void movedVolatile(int* out, const int* in, int*) {
  __shared__ volatile int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = in[t];
  __syncthreads();
  const int x = s[base + ((lane + 1) & 31)];
  s[t] = x + 1;
  __syncthreads();
  out[t] = s[t];
}

__global__ void movedInGlobal(int* out, const int* in, int*) {
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  out[t] = in[t];
  __syncthreads();
  const int x = out[base + 31 - lane];
  out[t] = x * 3 + lane;
}

// Twice the sum of the neighbours, round after round.
__global__ void stencil(int* out, const int* in, int*) {
  __shared__ int s[kThreads + 2];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t < 2) s[t * (kThreads + 1)] = 0;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (t < 32) s[t + 1] = s[t] + s[t + 2];
    __syncthreads();
  }
  out[t] = s[t + 1];
}

// --- Scans, with a barrier behind each step -------------------------------------------------------

__global__ void scanned(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31;
  s[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) s[t] = s[t] + s[t - d];
    __syncwarp();
  }
  out[t] = s[t];
}

__global__ void scannedAlike(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31;
  s[t] = in[t];
  __syncwarp();
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    const int x = lane >= d ? s[t - d] : 0;
    s[t] = s[t] + x;
    __syncwarp();
  }
  out[t] = s[t];
}

__global__ void butterfly(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    s[t] = s[t] + s[base + (lane ^ d)];
    __syncwarp();
  }
  out[t] = s[t];
}

__global__ void scannedInGlobal(int* out, const int* in, int*) {
  const int t = threadIdx.x, lane = t & 31;
  out[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) out[t] += out[t - d];
    __syncwarp();
  }
}

static void observe(const char* name, Kernel kernel) {
  std::vector<int> values(kThreads), places(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i * 37 % 101 + i % 3, places[i] = i;
  DeviceArray<int> in(values), place(places), out(kThreads);
  kernel<<<1, kThreads>>>(out.data(), in.data(), place.data());
  OBSERVE(name, joined(out.read()));
}

int main() {
  observe("first_lane", moved<0, int>);
  observe("rotated_down", moved<1, int>);
  observe("rotated_up", moved<2, int>);
  observe("mirrored", moved<3, int>);
  observe("exchanged", moved<4, int>);
  observe("bytes", moved<1, unsigned char>);
  observe("shorts", moved<3, short>);
  observe("doubles", moved<4, double>);
  observe("moved_to", movedTo);
  observe("gathered", gathered);
  observe("moved_volatile", movedVolatile);
  observe("moved_in_global", movedInGlobal);
  observe("stencil", stencil);
  observe("scanned", scanned);
  observe("scanned_alike", scannedAlike);
  observe("butterfly", butterfly);
  observe("scanned_in_global", scannedInGlobal);
}
