// CUB's device-wide algorithms and a block's, against the host's standard library.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#define CALL(call)                                                       \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      return 1;                                                          \
    }                                                                    \
  } while (0)

static int failures = 0;
static void check(bool right, const char* what, int n) {
  if (!right) {
    std::printf("%s of %d is wrong\n", what, n);
    ++failures;
  }
}

__global__ void blockSums(const int* in, int* out) {
  typedef cub::BlockReduce<int, 256> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[blockIdx.x * 256 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <typename Algorithm>
static cudaError_t twice(Algorithm algorithm) {
  size_t bytes = 0;
  void* storage = nullptr;
  cudaError_t error = algorithm(nullptr, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&storage, bytes);
  if (error == cudaSuccess) error = algorithm(storage, bytes);
  cudaFree(storage);
  return error;
}

int main() {
  const int most = 200000;
  int *in, *out;
  CALL(cudaMalloc(&in, most * sizeof(int)));
  CALL(cudaMalloc(&out, most * sizeof(int)));
  for (int n : {1, 31, 1000, most}) {
    std::vector<int> host(n), result(n);
    unsigned state = n;
    for (int& x : host) x = int((state = state * 1664525u + 1013904223u) >> 8) - (1 << 23);
    CALL(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    unsigned sum = 0;
    bool same = true;
    CALL(twice([=](void* storage, size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
    }));
    CALL(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) same = same && result[i] == int(sum += unsigned(host[i]));
    check(same, "DeviceScan", n);

    CALL(twice(
        [=](void* storage, size_t& bytes) { return cub::DeviceReduce::Sum(storage, bytes, in, out, n); }));
    CALL(cudaMemcpy(result.data(), out, sizeof(int), cudaMemcpyDeviceToHost));
    check(result[0] == int(sum), "DeviceReduce", n);

    CALL(twice([=](void* storage, size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
    }));
    CALL(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> sorted = host;
    std::sort(sorted.begin(), sorted.end());
    check(result == sorted, "DeviceRadixSort", n);

    const int blocks = n / 256;
    if (blocks == 0) continue;
    blockSums<<<blocks, 256>>>(in, out);
    CALL(cudaMemcpy(result.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    same = true;
    for (int b = 0; b < blocks; ++b) {
      unsigned want = 0;
      for (int i = 0; i < 256; ++i) want += unsigned(host[b * 256 + i]);
      same = same && result[b] == int(want);
    }
    check(same, "BlockReduce", n);
  }
  if (failures == 0) std::printf("passed\n");
  return failures != 0;
}
