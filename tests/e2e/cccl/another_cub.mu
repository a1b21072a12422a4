// Thrust beside a project's own CUB, which comes first in the include path, and the launcher that such a CUB
// takes of Thrust.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/musa/detail/core/triple_chevron_launch.h>
#include <thrust/unique.h>

#include <cstdio>
#include <cub/util_namespace.cuh>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

int main() {
  cub::DeviceReduce theirs;
  (void)theirs;
  thrust::device_vector<int> values(1000);
  thrust::sequence(values.begin(), values.end());
  if (thrust::reduce(values.begin(), values.end()) != 499500) return std::puts("reduce"), 1;
  thrust::sort(values.begin(), values.end(), thrust::greater<int>());
  if (values[0] != 999 || values[999] != 0) return std::puts("sort"), 1;
  thrust::inclusive_scan(values.begin(), values.end(), values.begin());
  if (values[999] != 499500) return std::puts("scan"), 1;
  thrust::cuda_cub::launcher::triple_chevron(1, 64, 0, 0)
      .doit(fill, thrust::raw_pointer_cast(values.data()), 7);
  if (musaDeviceSynchronize() != musaSuccess || values[63] != 7) return std::puts("launch"), 1;
  if (thrust::unique(values.begin(), values.begin() + 64) - values.begin() != 1)
    return std::puts("unique"), 1;

  // Its types and functions as Thrust's arguments.
  thrust::host_vector<cub::Number> unsorted(5000);
  for (int i = 0; i < 5000; ++i) unsorted[i].value = (i * 37) % 5000;
  thrust::device_vector<cub::Number> numbers = unsorted;
  cub::Number largest = thrust::reduce(numbers.begin(), numbers.end(), cub::Number{-1}, cub::Larger());
  if (largest.value != 4999) return std::puts("reduce by its function"), 1;
  thrust::device_vector<cub::Number> so_far(5000);
  thrust::inclusive_scan(numbers.begin(), numbers.end(), so_far.begin(), cub::Larger());
  if (cub::Number(so_far[4999]).value != 4999) return std::puts("scan by its function"), 1;
  thrust::sort(numbers.begin(), numbers.end(), cub::Less());
  thrust::host_vector<cub::Number> sorted = numbers;
  for (int i = 0; i < 5000; ++i) {
    if (sorted[i].value != i) return std::puts("sort by its function"), 1;
  }
  std::puts("passed");
}
