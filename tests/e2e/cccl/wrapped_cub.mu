// CUB in a namespace of the program's, by CUB's older macros and after a header of Thrust's, as PyTorch's
// ATen/cuda/cub.cuh has it.
#include <thrust/complex.h>
#include <thrust/iterator/counting_iterator.h>

#undef CUB_NS_PREFIX
#undef CUB_NS_POSTFIX
#undef CUB_NS_QUALIFIER
#define CUB_NS_PREFIX namespace own {
#define CUB_NS_POSTFIX }
#define CUB_NS_QUALIFIER ::own::cub
#include <cub/device/device_merge_sort.cuh>
#undef CUB_NS_PREFIX
#undef CUB_NS_POSTFIX
#undef CUB_NS_QUALIFIER

#include <cstdio>

struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

int main() {
  constexpr int kCount = 3000;
  int* keys;
  musaMallocManaged(&keys, sizeof(int) * kCount);
  for (int i = 0; i < kCount; ++i) keys[i] = (i * 7919) % kCount;
  size_t bytes = 0;
  void* scratch = nullptr;
  own::cub::DeviceMergeSort::SortKeys(scratch, bytes, keys, kCount, Less());
  musaMalloc(&scratch, bytes);
  if (own::cub::DeviceMergeSort::SortKeys(scratch, bytes, keys, kCount, Less()) != musaSuccess) return 1;
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  for (int i = 0; i < kCount; ++i) {
    if (keys[i] != i) return std::printf("keys[%d] is %d\n", i, keys[i]), 1;
  }
  std::puts("passed");
}
