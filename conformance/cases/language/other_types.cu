// Memory that is written as one type and read as another, through pointers the compiler knows nothing of.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.other_types");

constexpr int kThreads = 64, kRounds = 4;

// Shared memory between barriers, as floats and as bits.
__global__ void betweenBarriers(float* out) {
  __shared__ float tile[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  tile[me] = me;
  __syncthreads();
  const float before = tile[me ^ 1];
  __syncthreads();
  reinterpret_cast<int*>(tile)[kThreads - 1 - me] = __float_as_int(1000.0f + me);
  __syncthreads();
  out[me] = tile[me ^ 1] - before;
}

// Four words at once, then floats.
__global__ void inVectors(const int4* in, float* out) {
  extern __shared__ __align__(16) char raw[];
  const float* tile = reinterpret_cast<const float*>(raw);
  const int me = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    reinterpret_cast<int4*>(raw)[me] = in[round * kThreads + me];
    __syncthreads();
    for (int j = 0; j < 4; ++j) sum += tile[(me * 4 + j + 16) % (4 * kThreads)] * (j + 1);
    __syncthreads();
  }
  out[me] = sum;
}

// Two parameters that are one array.
__global__ void twoNames(float* floats, unsigned* words) {
  for (int i = static_cast<int>(threadIdx.x); i < kRounds * kThreads; i += kThreads) {
    const float before = floats[i];
    words[i] = __float_as_uint(before * 2 + 1);
    const float after = floats[i];
    words[i] = __float_as_uint(after + before);
  }
}

__device__ double overwritten(double* place, long long* bits) {
  *place = 1.0;
  *bits = __double_as_longlong(2.0);
  return *place;
}
__global__ void inFunctions(double* values, double* out) {
  out[threadIdx.x] = overwritten(values + threadIdx.x, reinterpret_cast<long long*>(values) + threadIdx.x);
}

int main() {
  std::vector<float> numbers(4 * kRounds * kThreads);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 97);
  DeviceArray<float> values(numbers.size()), out(kThreads);
  values.write(numbers);
  betweenBarriers<<<1, kThreads>>>(out.data());
  OBSERVE("between_barriers", joined(out.read()));
  inVectors<<<1, kThreads, kThreads * sizeof(int4)>>>(reinterpret_cast<const int4*>(values.data()),
                                                      out.data());
  OBSERVE("in_vectors", joined(out.read()));
  twoNames<<<1, kThreads>>>(values.data(), reinterpret_cast<unsigned*>(values.data()));
  OBSERVE("two_names", joined(values.read()));
  DeviceArray<double> doubles(kThreads), sums(kThreads);
  inFunctions<<<1, kThreads>>>(doubles.data(), sums.data());
  OBSERVE("in_functions", joined(sums.read()));
}
