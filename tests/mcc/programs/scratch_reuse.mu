// Blocks that use a shared array again with no barrier between the last reads and the next writes: it gives
// what the same kernel with all its barriers gives, as on hardware, whose warps go about in step.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kLength = 2048, kBlocks = 2;

// The barrier that is missing, where kFenced says that it is not.
template <bool kFenced>
__device__ void fence() {
  if (kFenced) __syncthreads();
}

// What stands between a read and the next write.
__device__ int work(const int* in, int value) {
  for (int i = 0; i < 4; ++i) value = in[(value + i * 7) & (kLength - 1)];
  return value;
}

// --- Sums by warps, then of warps ------------------------------------------------------------------

struct Butterfly {
  template <class T>
  __device__ static T sum(T value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step, 32);
    return value;
  }
};
struct Down {
  template <class T>
  __device__ static T sum(T value) {
    const unsigned here = __activemask();
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(here, value, step, 32);
    return value;
  }
};
struct Instruction {
  __device__ static int sum(int value) { return __reduce_add_sync(0xffffffffu, value); }
};

template <bool kFenced, class Warp, class T>
__device__ T blockSum(T value, T* part) {
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  value = Warp::sum(value);
  fence<kFenced>();
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = Warp::sum(lane < static_cast<int>(blockDim.x) / 32 ? part[lane] : T(0));
    if (lane == 0) part[0] = value;
  }
  __syncthreads();
  return part[0];
}

template <bool kFenced, class Warp, class T>
__global__ void sums(int* out, const int* in) {
  __shared__ T part[32];
  const int t = static_cast<int>(threadIdx.x);
  const T first = blockSum<kFenced, Warp>(T(in[t] % 16), part);
  const T second = blockSum<kFenced, Warp>(T(work(in, in[t]) % 64) + first, part);
  const T third = blockSum<kFenced, Warp>(T(static_cast<int>(second) % 64 + in[t] % 8), part);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(first + second * 3 + third * 5);
}

template <bool kFenced>
__global__ void softmax(int* out, const int* in) {
  extern __shared__ float dynamic[];
  float* part = dynamic + 4;
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  const int warps = static_cast<int>(blockDim.x) / 32;
  float largest = static_cast<float>(in[t] % 1000);
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step, 32));
  if (lane == 0) part[warp] = largest;
  __syncthreads();
  largest = part[0];
  for (int i = 1; i < warps; ++i) largest = fmaxf(largest, part[i]);
  float sum = largest - static_cast<float>(work(in, in[t]) % 500);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step, 32);
  fence<kFenced>();
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  sum = part[0];
  for (int i = 1; i < warps; ++i) sum += part[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(sum + largest);
}

// --- Rounds ------------------------------------------------------------------------------------------

// All lanes of a warp write its element, the same: a race of its own kind, which goes well.
template <bool kFenced>
__global__ void rounds(int* out, const int*) {
  __shared__ int parts[32];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  int result = 0;
  for (int round = 0; round < 8; ++round) {
    fence<kFenced>();
    parts[warp] = round * 100 + warp;
    __syncthreads();
    int sum = lane < static_cast<int>(blockDim.x) / 32 ? parts[lane] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step, 32);
    result = result * 3 + sum;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

template <bool kFenced>
__global__ void announcements(int* out, const int* in) {
  __shared__ int announced;
  __shared__ float2 both;
  const int t = static_cast<int>(threadIdx.x);
  int result = t;
  for (int row = 0; row < 6; ++row) {
    fence<kFenced>();
    if (t == 0) {
      announced = in[row] + row;
      both = make_float2(static_cast<float>(row), static_cast<float>(in[row]));
    }
    __syncthreads();
    const int said = announced;
    const float2 pair = both;
    result = work(in, result + said) + static_cast<int>(pair.x * 2 + pair.y);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

template <bool kFenced>
__global__ void tables(int* out, const int* in) {
  __shared__ short table[32];
  const int t = static_cast<int>(threadIdx.x);
  int result = t;
  for (int round = 0; round < 5; ++round) {
    fence<kFenced>();
    if (t < 32) table[t] = static_cast<short>(in[t + round] + round);
    __syncthreads();
    // By the thread's index, and by what data say.
    const int mine = table[t % 32] * 3 + table[in[t + round] & 31];
    result = work(in, result + mine) + mine;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

// Warps that have ended, and such as go another way for a while.
template <bool kFenced>
__global__ void someWarps(int* out, const int* in) {
  __shared__ int part[32];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  out[blockIdx.x * blockDim.x + threadIdx.x] = -1;
  if (warp == static_cast<int>(blockDim.x) / 32 - 1 && blockDim.x > 64) return;
  int result = 0;
  for (int round = 0; round < 5; ++round) {
    fence<kFenced>();
    if (lane == 0) part[warp] = in[warp + round] + round;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 2; ++i) sum += part[i];
    if (in[warp] % 2 == 0) sum += work(in, sum + t);
    result = result * 3 + sum + __shfl_down_sync(0xffffffffu, result, 1, 32);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

// The warp's number is computed on the way to the return, and again where nobody came by that.
template <bool kFenced>
__global__ void leavers(int* out, const int* in) {
  __shared__ int part[32];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  int* mine = out + blockIdx.x * blockDim.x + t;
  int result = static_cast<int>(gridDim.x);
  __syncthreads();
  if ((gridDim.x & 1) == 0 && ((in[11] + t / 32u) & 1023) == 1000) {
    *mine = 7;
    return;
  }
  for (int round = 0; round < 2; ++round) {
    fence<kFenced>();
    if (lane == 0) part[t / 32u] = result + in[round];
    __syncthreads();
    result ^= work(in, part[lane % 2]);
  }
  *mine = result;
}

// --- Without warp operations ------------------------------------------------------------------------

template <bool kFenced, class T>
__device__ T tree(T value, T* s) {
  const int t = static_cast<int>(threadIdx.x);
  fence<kFenced>();
  s[t] = value;
  __syncthreads();
  for (int half = static_cast<int>(blockDim.x) / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  return s[0];
}

template <bool kFenced, class T>
__global__ void trees(int* out, const int* in) {
  __shared__ T s[1024];
  const int t = static_cast<int>(threadIdx.x);
  const T first = tree<kFenced>(T(in[t] % 16), s);
  const T second = tree<kFenced>(T(work(in, in[t]) % 64) + first, s);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(first + second * 3);
}

template <bool kFenced>
__global__ void neighbours(int* out, const int* in) {
  __shared__ int s[1024];
  const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  s[t] = in[t];
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const int other = s[(t + n / 2 + 5) % n];
    const int next = work(in, other + t) + other;
    fence<kFenced>();
    s[t] = next;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[n - 1 - t];
}

// Places in the kernel to which only data lead, the same for all threads; and where they part.
template <bool kFenced>
__global__ void byData(int* out, const int* in) {
  __shared__ int s[1024];
  const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  s[t] = in[t];
  __syncthreads();
  int result = t, rounds = __syncthreads_or(in[7] & 3) + 2;
  while (rounds-- > 0) {
    result += s[(t + n - 33) % n];
    if (in[t] % 3 == 0) result = work(in, result);
    fence<kFenced>();
    if (t % 2 == 0) s[t] = result;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

// LLVM makes one load of those of the array and of memory, of an address that data choose.
template <bool kFenced>
__global__ void choices(int* out, const int* in) {
  __shared__ int s[32];
  const int t = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x) / 32;
  int result = 0, next = t;
  for (int i = 0; i < (in[0] & 3) + 4; ++i) {
    if (t % 32 == 0) s[t / 32] = next + i;
    __syncthreads();
    if ((in[t] & 4) != 0)
      next = s[t % warps];
    else
      next = in[t + 1];
    for (int j = 0; j < (in[1] & 1) + 3; ++j) next = in[(next + j) & (kLength - 1)];
    result = result * 5 + next;
    fence<kFenced>();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

// Lanes move together too, and what the array holds is where a loop begins.
template <bool kFenced>
__global__ void exchanges(int* out, const int* in) {
  __shared__ int s[32], lanes[1024];
  const int t = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x) / 32;
  lanes[t] = in[t];
  __syncthreads();
  const int other = lanes[t ^ 1];
  if (kFenced) __syncwarp();
  lanes[t] = other;
  __syncthreads();
  int result = lanes[t], next = 0;
  for (int i = 0; i < 4; ++i) {
    if (t % 32 == 0) s[t / 32] = next + i;
    __syncthreads();
    next = s[t % warps];
    for (int j = 0; j < 8; ++j) next = in[(next + j) & (kLength - 1)];
    result += next;
    fence<kFenced>();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

// The first warp puts things where data says, in memory that the others have read sums from.
template <bool kFenced>
__global__ void scattered(int* out, const int* in) {
  __shared__ union {
    int places[64], sums[32];
  } s;
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  const int sum = Butterfly::sum(in[t]);
  if (lane == 0) s.sums[warp] = sum;
  __syncthreads();
  int result = 0;
  for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) result += s.sums[i];
  fence<kFenced>();
  if (warp == 0) {
    s.places[(lane * 11 + in[0]) & 31] = result + lane;
    __syncwarp();
    result += s.places[lane];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

using Kernel = void (*)(int* out, const int* in);

static bool isSame(const char* name, Kernel kernel, Kernel fenced) {
  static std::vector<int> values(kLength);
  for (int i = 0; i < kLength; ++i) values[i] = (i * 1237 + i / 3) % 4093;
  int *in = nullptr, *out = nullptr;
  musaMalloc(&in, kLength * sizeof *in);
  musaMalloc(&out, kBlocks * 1024 * sizeof *out);
  musaMemcpy(in, values.data(), kLength * sizeof *in, musaMemcpyHostToDevice);
  bool isRight = true;
  for (const int threads : {64, 128, 192, 256, 512, 1024}) {
    std::vector<int> got(kBlocks * threads), wanted(got);
    const size_t bytes = got.size() * sizeof(int);
    kernel<<<kBlocks, threads, 36 * sizeof(float)>>>(out, in);
    musaMemcpy(got.data(), out, bytes, musaMemcpyDeviceToHost);
    fenced<<<kBlocks, threads, 36 * sizeof(float)>>>(out, in);
    const musaError_t error = musaMemcpy(wanted.data(), out, bytes, musaMemcpyDeviceToHost);
    if (error == musaSuccess && got == wanted) continue;
    std::printf("%s, %d threads: wrong (%s)\n", name, threads, musaGetErrorName(error));
    isRight = false;
  }
  musaFree(in);
  musaFree(out);
  return isRight;
}

int main() {
  bool isRight = isSame("sums of floats", sums<false, Butterfly, float>, sums<true, Butterfly, float>);
  isRight &= isSame("sums of doubles", sums<false, Down, double>, sums<true, Down, double>);
  isRight &= isSame("sums of wide ints", sums<false, Butterfly, long long>, sums<true, Butterfly, long long>);
  isRight &= isSame("sums of ints", sums<false, Instruction, int>, sums<true, Instruction, int>);
  isRight &= isSame("softmax", softmax<false>, softmax<true>);
  isRight &= isSame("rounds", rounds<false>, rounds<true>);
  isRight &= isSame("announcements", announcements<false>, announcements<true>);
  isRight &= isSame("tables", tables<false>, tables<true>);
  isRight &= isSame("some warps", someWarps<false>, someWarps<true>);
  isRight &= isSame("leavers", leavers<false>, leavers<true>);
  isRight &= isSame("trees of floats", trees<false, float>, trees<true, float>);
  isRight &= isSame("trees of wide ints", trees<false, long long>, trees<true, long long>);
  isRight &= isSame("neighbours", neighbours<false>, neighbours<true>);
  isRight &= isSame("by data", byData<false>, byData<true>);
  isRight &= isSame("choices", choices<false>, choices<true>);
  isRight &= isSame("exchanges", exchanges<false>, exchanges<true>);
  isRight &= isSame("scattered", scattered<false>, scattered<true>);
  std::printf("%s\n", isRight ? "PASS" : "FAIL");
  return isRight ? 0 : 1;
}
