// threadIdx, blockIdx, blockDim and gridDim are objects of uint3 and dim3.
#include <musa_runtime.h>

#include <cstdio>
#include <type_traits>

static_assert(sizeof(threadIdx) == 12 && sizeof(gridDim) == 12, "");
static_assert(std::is_same<decltype(threadIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockDim), const dim3>::value, "");
static_assert(std::is_same<decltype(gridDim), const dim3>::value, "");

__device__ unsigned sum(const uint3& v) { return v.x + v.y + v.z; }
__device__ unsigned ofCopy(uint3 v) { return v.x + v.y + v.z; }
__device__ unsigned ofSize(dim3 v) { return v.x + v.y + v.z; }
__device__ __noinline__ unsigned through(const unsigned* v) { return v[0] + v[1] + v[2]; }
template <class T>
__device__ unsigned deduced(T v) {
  static_assert(std::is_same<T, uint3>::value || std::is_same<T, dim3>::value, "");
  return v.x + v.y + v.z;
}
template <unsigned uint3::* Axis>
__device__ unsigned along(const uint3& v) {
  return v.*Axis;
}

__global__ void kernel(unsigned* out, bool pick) {
  const unsigned flat = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned* row = out + (block * 24 + flat) * 8;
  uint3 here = threadIdx;
  dim3 size = blockDim;
  dim3 fromIndex(blockIdx);
  const uint3 fromSize = gridDim;
  const auto& reference = threadIdx;
  const auto [x, y, z] = threadIdx;
  const uint3* address = pick ? &threadIdx : &blockIdx;
  __syncthreads();
  row[0] = here.x + here.y + here.z;
  row[1] = ofSize(size) + ofSize(gridDim) - fromSize.z;
  row[2] = sum(threadIdx) + ofCopy(blockIdx) + fromIndex.x;
  row[3] = through(&threadIdx.x) + through(&blockDim.x);
  row[4] = deduced(threadIdx) + deduced(blockDim);
  row[5] = along<&uint3::y>(threadIdx) + reference.z + x + 10 * y + 100 * z;
  row[6] = (pick ? threadIdx : blockIdx).x + address->y;
  const auto lambda = [=] { return threadIdx.y + reinterpret_cast<const unsigned*>(&threadIdx)[2]; };
  row[7] = lambda();
}

int main() {
  const dim3 grid(2, 3, 2), block(4, 3, 2);
  unsigned* out = nullptr;
  if (musaMallocManaged(&out, 12 * 24 * 8 * sizeof(unsigned)) != musaSuccess) return 1;
  int failures = 0;
  for (int pick = 0; pick < 2; ++pick) {
    kernel<<<grid, block>>>(out, pick != 0);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    for (unsigned b = 0; b < 12; ++b) {
      for (unsigned t = 0; t < 24; ++t) {
        const uint3 at{t % 4, t / 4 % 3, t / 12}, of{b % 2, b / 2 % 3, b / 6}, chosen = pick ? at : of;
        const unsigned here = at.x + at.y + at.z, there = of.x + of.y + of.z;
        const unsigned want[8] = {here,
                                  9 + 5,
                                  here + there + of.x,
                                  here + 9,
                                  here + 9,
                                  at.y + at.z + at.x + 10 * at.y + 100 * at.z,
                                  chosen.x + chosen.y,
                                  at.y + at.z};
        for (int i = 0; i < 8; ++i) failures += out[(b * 24 + t) * 8 + i] != want[i];
      }
    }
  }
  std::printf(failures == 0 ? "passed\n" : "%d values are wrong\n", failures);
  return failures != 0;
}
