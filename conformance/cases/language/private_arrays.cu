// Arrays of a thread's own that outlive barriers, of sizes that are no multiples of their alignment.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.private_arrays");

constexpr int kThreads = 64, kRounds = 9;

template <typename Element, int kSize>
__global__ void turns(const int* in, long long* out) {
  __shared__ int part[kThreads];
  Element own[kSize] = {};
  const int t = threadIdx.x;
  for (int round = 0; round < kRounds; ++round) {
    part[t] = in[t] + round;
    __syncthreads();
    own[(t + round) % kSize] += static_cast<Element>(part[(t + 1) % kThreads]);
    __syncthreads();
  }
  long long hash = 0;
  for (int i = 0; i < kSize; ++i) hash = hash * 3 + static_cast<long long>(own[i]);
  out[t] = hash;
}

template <typename Element, int kSize>
static void observe(const std::string& name, const DeviceArray<int>& in) {
  DeviceArray<long long> out(kThreads);
  turns<Element, kSize><<<1, kThreads>>>(in.data(), out.data());
  OBSERVE(name + "_error", cudaDeviceSynchronize());
  OBSERVE(name, joined(out.read()));
}

int main() {
  std::vector<int> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i * 37 % 11;
  DeviceArray<int> in(kThreads);
  SETUP(cudaMemcpy(in.data(), values.data(), kThreads * sizeof(int), cudaMemcpyDefault));
  observe<float, 5>("float5", in);
  observe<float, 7>("float7", in);
  observe<short, 9>("short9", in);
  observe<signed char, 17>("char17", in);
  observe<int, 9>("int9", in);
  observe<double, 3>("double3", in);
}
