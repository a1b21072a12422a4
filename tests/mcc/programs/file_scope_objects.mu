// Objects at file scope use their unit's kernels and variables as they are made, and as they are destroyed.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

__device__ int factor = 3;

__global__ void multiply(int* value) { *value *= factor; }

class Value {
 public:
  Value() {
    int seen = 0;
    if (musaMallocManaged(&value_, sizeof *value_) != musaSuccess) return;
    *value_ = 7;
    if (musaMemcpyFromSymbol(&seen, factor, sizeof seen) != musaSuccess || seen != 3) return;
    isRight = multiplies(21);
  }
  ~Value() {
    if (!multiplies(63) || musaFree(value_) != musaSuccess) std::_Exit(1);
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  bool isRight = false;

 private:
  bool multiplies(int expected) const {
    multiply<<<1, 1>>>(value_);
    return musaDeviceSynchronize() == musaSuccess && *value_ == expected;
  }

  int* value_ = nullptr;
} value;

int main() {
  if (!value.isRight) std::printf("the constructor's kernel did not run\n");
  return value.isRight ? 0 : 1;
}
