// Exchanges after which all lanes of a warp have one value, and such that only look alike: the host takes
// every lane through the same steps.
#include <musa_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int kLanes = 32, kThreads = 96;
constexpr unsigned kAll = 0xffffffffu;

struct Sum {
  template <typename T>
  __host__ __device__ T operator()(T own, T other) const {
    return own + other;
  }
};

struct Largest {
  __host__ __device__ float operator()(float own, float other) const { return fmaxf(own, other); }
};

struct Difference {
  __host__ __device__ int operator()(int own, int other) const { return own - other; }
};

struct Doubled {  // asks whose value is whose
  __host__ __device__ int operator()(int own, int other) const { return 2 * own + other; }
};

struct LowHalf {  // of another number than the one given
  __host__ __device__ long long operator()(long long own, long long other) const {
    return (own & 0xffffffffll) + other;
  }
};

template <typename Combine, int kWidth, int... kMasks, typename T>
__global__ void exchange(const T* in, T* out) {
  T value = in[threadIdx.x];
  ((value = Combine()(value, __shfl_xor_sync(kAll, value, kMasks, kWidth))), ...);
  // All threads of a warp go one way, or each its own, and exchange values on it.
  if (value > T(40)) value += __shfl_xor_sync(__activemask(), T(threadIdx.x % 32), 0);
  out[threadIdx.x] = value;
}

template <typename Combine, typename T>
void step(T* values, int mask) {
  T before[kLanes];
  std::memcpy(before, values, sizeof before);
  for (int lane = 0; lane < kLanes; ++lane) values[lane] = Combine()(before[lane], before[lane ^ mask]);
}

template <typename Combine, int kWidth, int... kMasks, typename T>
int wrongIn(const char* name, T (*make)(int)) {
  T *in = nullptr, *out = nullptr, expected[kThreads];
  if (musaMallocManaged(&in, kThreads * sizeof(T)) != musaSuccess) return 1;
  if (musaMallocManaged(&out, kThreads * sizeof(T)) != musaSuccess) return 1;
  for (int i = 0; i < kThreads; ++i) expected[i] = in[i] = make(i);
  exchange<Combine, kWidth, kMasks...><<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  int wrong = 0;
  for (int warp = 0; warp < kThreads; warp += kLanes) (step<Combine>(expected + warp, kMasks), ...);
  for (int i = 0; i < kThreads; ++i) {
    if (expected[i] > T(40)) expected[i] += T(i % 32);
    wrong += std::memcmp(&expected[i], &out[i], sizeof(T)) != 0;
  }
  if (wrong != 0) std::printf("%s: %d wrong\n", name, wrong);
  musaFree(in);
  musaFree(out);
  return wrong;
}

// One lane's value for all, and votes.
__global__ void agree(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const int third = __shfl_sync(kAll, value, 3, 32);
  const int thirdOfEight = __shfl_sync(kAll, value, 3, 8);
  int sum = third * 1000 + thirdOfEight;
  if (__any_sync(kAll, value == 70)) sum += __popc(__ballot_sync(kAll, value % 3 == 0)) * 1000000;
  if (__all_sync(kAll, value < 40)) sum = -sum;
  out[threadIdx.x] = sum;
}

int wrongAgreements() {
  int *in = nullptr, *out = nullptr, wrong = 0;
  if (musaMallocManaged(&in, kThreads * sizeof(int)) != musaSuccess) return 1;
  if (musaMallocManaged(&out, kThreads * sizeof(int)) != musaSuccess) return 1;
  for (int i = 0; i < kThreads; ++i) in[i] = i;
  agree<<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  for (int i = 0; i < kThreads; ++i) {
    const int first = i / kLanes * kLanes;
    int sum = (first + 3) * 1000 + (i / 8 * 8 + 3), thirds = 0;
    for (int other = first; other < first + kLanes; ++other) thirds += other % 3 == 0;
    if (first == 64) sum += thirds * 1000000;
    if (first == 0) sum = -sum;
    wrong += out[i] != sum;
  }
  if (wrong != 0) std::printf("agreements: %d wrong\n", wrong);
  return wrong;
}

int number(int i) { return i; }
long long wide(int i) { return i + (static_cast<long long>(i % 7) << 33); }
float real(int i) {
  return i % 32 == 5 ? NAN : i < 32 ? -0.0f * static_cast<float>(i % 2) : static_cast<float>(i - 50);
}
double fraction(int i) { return 0.25 * i; }

int main() {
  int wrong = wrongAgreements();
  wrong += wrongIn<Sum, 32, 16, 8, 4, 2, 1>("sum", number);
  wrong += wrongIn<Sum, 32, 1, 2, 4, 8, 16>("sum, upwards", fraction);
  wrong += wrongIn<Sum, 32, 16, 8, 4, 2, 1>("sum of 64 bits", wide);
  wrong += wrongIn<Largest, 32, 16, 8, 4, 2, 1>("largest", real);
  wrong += wrongIn<Sum, 32, 16, 8, 4, 2>("a step less", number);
  wrong += wrongIn<Sum, 32, 16, 8, 4, 2, 2>("a step twice", number);
  wrong += wrongIn<Sum, 32, 31, 8, 4, 2, 16>("a step of several bits", number);
  wrong += wrongIn<Sum, 16, 8, 4, 2, 1>("half a warp", number);
  wrong += wrongIn<Difference, 32, 16, 8, 4, 2, 1>("difference", number);
  wrong += wrongIn<Doubled, 32, 16, 8, 4, 2, 1>("doubled", number);
  wrong += wrongIn<LowHalf, 32, 16, 8, 4, 2, 1>("low half", wide);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
