// A program of today gives names to its own things that CUDA once had for others.
#include <musa_runtime.h>

#include <cstdio>

class texture {
 public:
  __host__ __device__ explicit texture(float value) : value_(value) {}
  __host__ __device__ float sample() const { return value_; }

 private:
  float value_;
};

struct surface {
  int width;
};

__device__ float saturate(float x) { return x < 0 ? 0 : x > 10 ? 10 : x; }
__host__ __device__ int mul24(int a, int b) { return a - b; }
static __device__ float int_as_float(int x) { return static_cast<float>(x) + 0.25f; }

__global__ void use(float* out) {
  const texture checker(3);
  out[0] = checker.sample();
  out[1] = saturate(7);
  out[2] = static_cast<float>(mul24(9, 4));
  out[3] = int_as_float(1);
}

namespace mine {
template <class T>
struct texture {
  T value;
};
texture<int> first = {5};
}  // namespace mine

int main() {
  float* out = nullptr;
  if (musaMallocManaged(&out, 4 * sizeof(float)) != musaSuccess) return 1;
  use<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  const surface canvas = {4};
  using namespace mine;
  const bool right = out[0] == 3 && out[1] == 7 && out[2] == 5 && out[3] == 1.25f && canvas.width == 4 &&
                     ::texture(2).sample() == 2 && first.value == 5 && mul24(3, 1) == 2;
  std::puts(right ? "passed" : "wrong");
  return right ? 0 : 1;
}
