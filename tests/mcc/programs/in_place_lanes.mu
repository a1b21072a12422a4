// Lanes of a warp that read each other's elements, then write their own in the same place, with no barrier in
// between: one load serves all lanes before the store. Beside conformance/cases/warp/in_place.cu: more of
// what tells such code from code in which lanes keep to themselves. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <functional>

constexpr int kThreads = 128;

using Kernel = void (*)(int* out, const int* in, int* place);

// --- Moves ------------------------------------------------------------------------------------------

template <typename Element>
__global__ void rotated(int* out, const int* in, int*) {
  __shared__ Element s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, base = t & ~31;
  s[t] = static_cast<Element>(in[t]);
  __syncthreads();
  const Element x = s[base + (lane + 1) % 32];
  s[t] = x;
  __syncthreads();
  out[t] = static_cast<int>(s[t]);
}

// By a distance that the kernel is given.
__global__ void exchangedFar(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), far = place[0] + 5;
  s[t] = in[t];
  __syncthreads();
  const int x = s[t ^ far];
  s[t] = x;
  __syncthreads();
  out[t] = s[t];
}

// From the lane whose place in the warp the launch says.
__global__ void fromPlace(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int x = s[(t & ~31) | (gridDim.x & 31)];
  s[t] += x;
  __syncthreads();
  out[t] = s[t];
}

// From the other end of the block.
__global__ void turned(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x * blockDim.y);
  int sum = 0, x = in[t];
  for (int round = 0; round < 2; ++round) {
    s[t] = x;
    __syncthreads();
    x = s[n - 1 - t];
    for (int i = 0; i < 8; ++i) x = place[x];
    sum += x;
  }
  out[t] = sum;
}

// Where the element goes shows when memory has been read.
__global__ void movedTo(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int x = s[t ^ 7];
  int at = t;
  for (int i = 0; i < 8; ++i) at = place[at];
  s[at] = x;
  __syncthreads();
  out[t] = s[t];
}

__global__ void movedToDynamic(int* out, const int* in, int* place) {
  extern __shared__ int dynamic[];
  const int t = static_cast<int>(threadIdx.x);
  dynamic[t] = in[t];
  __syncthreads();
  const int x = dynamic[t ^ 7];
  dynamic[place[t]] = x;
  __syncthreads();
  out[t] = dynamic[t];
}

__global__ void movedToGlobal(int* out, const int* in, int* place) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = in[t];
  __syncthreads();
  const int x = out[t ^ 7];
  out[place[t]] = x;
}

__global__ void inVolatile(int* out, const int* in, int*) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), base = t & ~31;
  s[t] = in[t];
  __syncthreads();
  const int x = s[base];
  s[t] = x;
  __syncthreads();
  out[t] = s[t];
}

__global__ void inGlobal(int* out, const int* in, int*) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = in[t];
  __syncthreads();
  const int x = out[t ^ 3];
  out[t] = x;
}

// In the elements of a loop that goes by warps.
__global__ void strided(int* out, const int* in, int*) {
  const int t = static_cast<int>(threadIdx.x);
  if (t >= 32) return;
  for (int i = t; i < kThreads; i += 32) out[i] = in[i];
  for (int i = t; i < kThreads - 1; i += 32) {
    const int next = out[i + 1];
    out[i] = next;
  }
}

__device__ __noinline__ void swapHalves(int* s, int lane) {
  const int x = s[lane ^ 16];
  s[lane] = x;
}

__global__ void inFunction(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  swapHalves(s + (t & ~31), t & 31);
  __syncthreads();
  out[t] = s[t];
}

// --- Scans ------------------------------------------------------------------------------------------

template <bool kGuarded>
__global__ void scanned(int* out, const int* in, int* place) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, limit = place[0] + 32;
  s[t] = in[t];
  __syncwarp();
#pragma unroll 1
  for (int d = 1; d < limit; d *= 2) {
    if (kGuarded) {
      if (lane >= d) s[t] += s[t - d];
    } else {
      const int x = lane >= d ? s[t - d] : 0;
      s[t] = s[t] + x;
    }
    __syncwarp();
  }
  out[t] = s[t];
}

// From the top, in which lanes below the distance take part: these are no hazards, in a loop or out of it.
__global__ void tree(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 2; d /= 2) {
    if (lane < d) s[t] += s[t + d];
    __syncwarp();
  }
  if (lane < 2) s[t] += s[t + 2];
  __syncwarp();
  if (lane < 1) s[t] += s[t + 1];
  __syncwarp();
  out[t] = s[t & ~31];
}

// --- The test ---------------------------------------------------------------------------------------

static int in[kThreads];

static int sumUpTo(int t) {
  int sum = 0;
  for (int i = t & ~31; i <= t; ++i) sum += in[i];
  return sum;
}

static int report(const char* name, const std::function<int(int)>& expected, const int* out, int threads) {
  const musaError_t error = musaDeviceSynchronize();
  int count = 0;
  for (int i = 0; i < threads; ++i) count += out[i] != expected(i);
  if (error != musaSuccess || count > 0)
    std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  return count + (error != musaSuccess);
}

static void fill(int* data) {
  int *out = data, *place = data + kThreads, *given = data + 2 * kThreads;
  for (int i = 0; i < kThreads; ++i) out[i] = -1, place[i] = i, given[i] = in[i] = i * 37 % 101;
}

static int wrong(const char* name, Kernel kernel, const std::function<int(int)>& expected, int* data) {
  fill(data);
  kernel<<<1, kThreads, kThreads * sizeof(int)>>>(data, data + 2 * kThreads, data + kThreads);
  return report(name, expected, data, kThreads);
}

// One warp, and known to be.
static int wrongTurned(int* data) {
  fill(data);
  turned<<<1, 32>>>(data, data + 2 * kThreads, data + kThreads);
  return report("turned", [](int t) { return in[31 - t] + in[t]; }, data, 32);
}

static int fromNext(int t) { return in[(t & ~31) + (t + 1) % 32]; }

int main() {
  int* data = nullptr;
  musaMallocManaged(&data, 3 * kThreads * sizeof *data);
  int all = wrong("ints", rotated<int>, fromNext, data);
  all += wrong("bytes", rotated<signed char>, fromNext, data);
  all += wrong("shorts", rotated<short>, fromNext, data);
  all += wrong("floats", rotated<float>, fromNext, data);
  all += wrong("doubles", rotated<double>, fromNext, data);
  all += wrong("fromPlace", fromPlace, [](int t) { return in[t] + in[(t & ~31) + 1]; }, data);
  all += wrongTurned(data);
  all += wrong("exchangedFar", exchangedFar, [](int t) { return in[t ^ 5]; }, data);
  all += wrong("movedTo", movedTo, [](int t) { return in[t ^ 7]; }, data);
  all += wrong("movedToDynamic", movedToDynamic, [](int t) { return in[t ^ 7]; }, data);
  all += wrong("movedToGlobal", movedToGlobal, [](int t) { return in[t ^ 7]; }, data);
  all += wrong("inVolatile", inVolatile, [](int t) { return in[t & ~31]; }, data);
  all += wrong("inGlobal", inGlobal, [](int t) { return in[t ^ 3]; }, data);
  all += wrong("strided", strided, [](int t) { return in[t < kThreads - 1 ? t + 1 : t]; }, data);
  all += wrong("inFunction", inFunction, [](int t) { return in[t ^ 16]; }, data);
  all += wrong("scanned, guarded", scanned<true>, sumUpTo, data);
  all += wrong("scanned", scanned<false>, sumUpTo, data);
  all += wrong("tree", tree, [](int t) { return sumUpTo(t | 31); }, data);
  return all > 0 ? 1 : 0;
}
