// libcu++ on a device, and CUB with CUDA 12's interface: both are of the tree cccl-2.8.2.
#include <algorithm>
#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/ptx>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/stream_ref>
#include <vector>

static_assert(CUB_MAJOR_VERSION == 2, "the other tree was found first");

// Whatever stands behind cuda:: is the library's.
namespace gpu = cuda;
__device__ int roundedUp(int n) {
  using namespace cuda;
  return ceil_div(n, 2) + gpu::ceil_div(5, 4) + cuda::maximum<int>()(1, 2) + int(cuda::ptx::get_sreg_laneid());
}

__global__ void kernel(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_device> count(out[0]);
  count.fetch_add(1, cuda::memory_order_relaxed);
  barrier.arrive_and_wait();
  if (threadIdx.x != 40) return;
  const cuda::std::complex<float> z(1, 2);
  const cuda::std::array<int, 3> items{1, 2, 3};
  const auto pair = cuda::std::make_tuple(5, 2.5f);
  const cuda::std::optional<int> some = 7;
  const cuda::std::span<const int> rest(items.data() + 1, 2);
  out[6] = roundedUp(7);
  out[1] = int((z * z).imag()) + items[2] + cuda::std::get<0>(pair) + *some + int(rest.size()) +
           cuda::std::popcount(255u);
  out[2] =
      int(cuda::std::chrono::duration_cast<cuda::std::chrono::milliseconds>(cuda::std::chrono::seconds(3))
              .count());
}

// A flag that one thread of a block raises and another waits for.
__global__ void handOver(cuda::std::atomic<int>* flag, int* out) {
  if (threadIdx.x == 0) {
    out[3] = 11;
    flag->store(1, cuda::std::memory_order_release);
    flag->notify_all();
  } else if (threadIdx.x == 64) {
    flag->wait(0, cuda::std::memory_order_acquire);
    out[4] = out[3] + 1;
  }
}

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

// 5000 numbers of 64 bits.
static bool sorts() {
  const int n = 5000;
  unsigned long long *in, *out, state = 1;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = state = state * 6364136223846793005ull + 1442695040888963407ull;
  size_t bytes = 0;
  void* storage = nullptr;
  for (int round = 0; round < 2; ++round) {
    if (round == 1) cudaMalloc(&storage, bytes);
    if (cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n) != cudaSuccess) return false;
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  std::vector<unsigned long long> want(in, in + n);
  std::sort(want.begin(), want.end());
  return std::equal(want.begin(), want.end(), out);
}

int main() {
  int *out, got[7];
  cudaMallocManaged(&out, sizeof got);
  cudaMemset(out, 0, sizeof got);
  kernel<<<1, 128>>>(out);
  cuda::std::atomic<int>* flag;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  handOver<<<1, 128>>>(flag, out);
  size_t bytes = 0;
  void* storage = nullptr;
  for (int round = 0; round < 2; ++round) {
    if (round == 1) cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Reduce(storage, bytes, out, out + 5, 3, Larger(), -1);
  }
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  const int want[7] = {128, 4 + 3 + 5 + 7 + 2 + 8, 3000, 11, 12, 3000, 4 + 2 + 2 + 8};
  cuda::stream_ref(cudaStream_t{}).wait();
  int failures = cudaGetLastError() != cudaSuccess;
  if (!sorts()) std::printf("DeviceRadixSort is wrong\n"), ++failures;
  for (int i = 0; i < 7; ++i) {
    if (got[i] != want[i]) std::printf("value %d is %d instead of %d\n", i, got[i], want[i]), ++failures;
  }
  if (failures == 0) std::printf("passed\n");
  return failures != 0;
}
