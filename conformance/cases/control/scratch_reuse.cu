// Shared arrays that a block uses again with no barrier between the last reads and the next writes, as many
// published reductions do: a race by the book, but the warps of a block go step by step, so that all have
// read before one has come as far as the next write. With little in between, an H200 gives other results now
// and then; these are not compared.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.scratch_reuse");

constexpr int kBlocks = 4, kLength = 2048;

using Kernel = void (*)(int* out, const int* in);

// What stands between a read and the next write: accesses that wait for each other.
__device__ int work(const int* in, int value) {
  for (int i = 0; i < 8; ++i) value = in[(value + i * 7) & (kLength - 1)];
  return value;
}

// --- Sums by warps, then of warps ----------------------------------------------------------------

struct Butterfly {
  template <class T>
  __device__ static T sum(T value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
  }
};
struct Down {
  template <class T>
  __device__ static T sum(T value) {
    const unsigned here = __activemask();
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(here, value, step);
    return value;
  }
};
struct Instruction {
  __device__ static int sum(int value) { return __reduce_add_sync(0xffffffffu, value); }
};

template <class Warp, class T>
__device__ T blockSum(T value, T* part) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = Warp::sum(value);
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = Warp::sum(lane < blockDim.x / 32 ? part[lane] : T(0));
    if (lane == 0) part[0] = value;
  }
  __syncthreads();
  return part[0];
}

template <class Warp, class T>
__global__ void sumsInARow(int* out, const int* in) {
  __shared__ T part[32];
  const int t = threadIdx.x;
  const T first = blockSum<Warp>(T(in[t] % 16), part);
  const T second = blockSum<Warp>(T(work(in, in[t])) + first, part);
  const T third = blockSum<Warp>(T(static_cast<int>(second - first) % 64 + in[t] % 8), part);
  out[blockIdx.x * blockDim.x + t] = static_cast<int>(first + second * 3 + third * 5);
}

__device__ __noinline__ float sumApart(float value, float* part) { return blockSum<Butterfly>(value, part); }

__global__ void sumsOfFunctions(int* out, const int* in) {
  extern __shared__ float part2[];
  const int t = threadIdx.x;
  const float first = sumApart(static_cast<float>(in[t] % 16), part2);
  const float second = sumApart(static_cast<float>(work(in, in[t]) % 64) + first, part2);
  out[blockIdx.x * blockDim.x + t] = static_cast<int>(first + second * 3);
}

// Each row's sum goes by the same array.
__global__ void sumsOfRows(int* out, const int* in) {
  __shared__ int part[32];
  const int t = threadIdx.x;
  int result = 0;
  for (int row = 0; row < 6; ++row) {
    const int total = blockSum<Butterfly>(work(in, t + row) % 100 + row, part);
    result = result * 3 + total;
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

// The largest and the sum, as softmax needs them.
__global__ void softmax(int* out, const int* in) {
  __shared__ float part[32];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32, warps = blockDim.x / 32;
  float largest = static_cast<float>(in[t] % 1000);
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  if (lane == 0) part[warp] = largest;
  __syncthreads();
  largest = part[0];
  for (int i = 1; i < warps; ++i) largest = fmaxf(largest, part[i]);
  float sum = largest - static_cast<float>(work(in, in[t]) % 500);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  sum = part[0];
  for (int i = 1; i < warps; ++i) sum += part[i];
  out[blockIdx.x * blockDim.x + t] = static_cast<int>(sum + largest);
}

// --- Rounds -------------------------------------------------------------------------------------------

__global__ void rounds(int* out, const int* in) {
  __shared__ int parts[32];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int result = 0;
  for (int round = 0; round < 8; ++round) {
    parts[warp] = round * 100 + warp;
    __syncthreads();
    int sum = lane < blockDim.x / 32 ? parts[lane] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    result = result * 3 + sum;
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

// One thread says what all use next.
__global__ void announcements(int* out, const int* in) {
  __shared__ int announced;
  __shared__ float2 both;
  const int t = threadIdx.x;
  int result = t;
  for (int row = 0; row < 6; ++row) {
    if (t == 0) {
      announced = in[row] + row;
      both = make_float2(static_cast<float>(row), static_cast<float>(in[row]));
    }
    __syncthreads();
    const int said = announced;
    const float2 said2 = both;
    result = work(in, result + said) + static_cast<int>(said2.x * 2 + said2.y);
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

// The first warp writes what all read.
__global__ void tables(int* out, const int* in) {
  __shared__ short table[32];
  const int t = threadIdx.x;
  int result = t;
  for (int round = 0; round < 5; ++round) {
    if (t < 32) table[t] = static_cast<short>(in[(t + round) & (kLength - 1)] + round);
    __syncthreads();
    const int mine = table[t % 32] * 3 + table[31 - t % 32];
    result = work(in, result + mine) + mine;
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

// --- Without warp operations --------------------------------------------------------------------------

template <class T>
__device__ T tree(T value, T* s) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  s[t] = value;
  __syncthreads();
  for (int half = blockDim.x * blockDim.y / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  return s[0];
}

template <class T>
__global__ void trees(int* out, const int* in) {
  __shared__ T s[1024];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const T first = tree(T(in[t] % 16), s);
  const T second = tree(T(work(in, in[t])) + first, s);
  out[blockIdx.x * blockDim.x * blockDim.y + t] = static_cast<int>(first + second * 3);
}

// Everybody reads what others have, and much later writes.
__global__ void neighbours(int* out, const int* in) {
  __shared__ int s[1024];
  const int t = threadIdx.x, n = blockDim.x;
  s[t] = in[t];
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const int other = s[(t + n / 2 + 5) % n];
    const int next = work(in, other + t) + other;
    s[t] = next;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = s[n - 1 - t];
}

// Some warps have ended, others take another way.
__global__ void someWarps(int* out, const int* in) {
  __shared__ int part[32];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  out[blockIdx.x * blockDim.x + t] = -1;
  if (warp == static_cast<int>(blockDim.x / 32) - 1 && blockDim.x > 64) return;
  int result = 0;
  for (int round = 0; round < 5; ++round) {
    if (lane == 0) part[warp] = in[warp + round] + round;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 2; ++i) sum += part[i];
    if (warp % 2 == 0) sum += work(in, sum + t);
    result = result * 3 + sum + __shfl_down_sync(0xffffffffu, result, 1);
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

static void observe(const char* name, Kernel kernel) {
  std::vector<int> values(kLength);
  for (int i = 0; i < kLength; ++i) values[i] = (i * 1237 + i / 3) % 4093;
  const DeviceArray<int> in(values);
  for (const int size : {64, 128, 256, 512, 1024}) {
    DeviceArray<int> out(static_cast<size_t>(kBlocks) * size);
    kernel<<<kBlocks, size, 32 * sizeof(float)>>>(out.data(), in.data());
    OBSERVE(std::string(name) + "." + std::to_string(size), joined(out.read()));
  }
}

static void observeRectangle(const char* name, Kernel kernel) {
  std::vector<int> values(kLength);
  for (int i = 0; i < kLength; ++i) values[i] = (i * 1237 + i / 3) % 4093;
  const DeviceArray<int> in(values);
  DeviceArray<int> out(static_cast<size_t>(kBlocks) * 256);
  kernel<<<kBlocks, dim3(32, 8)>>>(out.data(), in.data());
  OBSERVE(name, joined(out.read()));
}

int main() {
  observe("floats_by_butterflies", sumsInARow<Butterfly, float>);
  observe("doubles_by_butterflies", sumsInARow<Butterfly, double>);
  observe("ints_down", sumsInARow<Down, int>);
  observe("wide_ints_down", sumsInARow<Down, long long>);
  observe("ints_by_instruction", sumsInARow<Instruction, int>);
  observe("of_functions", sumsOfFunctions);
  observe("of_rows", sumsOfRows);
  observe("softmax", softmax);
  observe("rounds", rounds);
  observe("announcements", announcements);
  observe("tables", tables);
  observe("trees_of_floats", trees<float>);
  observe("trees_of_wide_ints", trees<long long>);
  observeRectangle("trees_in_rectangles", trees<double>);
  observe("neighbours", neighbours);
  observe("some_warps", someWarps);
}
