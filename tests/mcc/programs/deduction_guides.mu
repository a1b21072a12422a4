// Class templates whose arguments device code leaves to deduction guides. Checks itself.
#include <musa_runtime.h>

#include <array>
#include <cstdio>

template <class... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overload(Functions...) -> Overload<Functions...>;

namespace tasks {
template <class Function>
struct Repeated {
  Function function;
  int times;
  __host__ __device__ int operator()(int value) const {
    for (int i = 0; i < times; ++i) value = function(value);
    return value;
  }
};
template <class Function>
Repeated(Function, int) -> Repeated<Function>;

__global__ void inNamespace(int* out) {
  *out = Repeated{[](int x) { return x * 3; }, 4}(2);
}
}  // namespace tasks

__global__ void deduced(int* out) {
  const Overload overload{[](int x) { return x + 1; }, [](float x) { return int(x * 10); },
                          [](const char* text) { return int(text[0]); }};
  const std::array numbers{1, 2, 4};
  out[0] = overload(1);
  out[1] = overload(2.5f);
  out[2] = overload("Z");
  out[3] = numbers[2] * int(numbers.size());
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, 5 * sizeof(int)) != musaSuccess) return 1;
  deduced<<<1, 1>>>(out);
  tasks::inNamespace<<<1, 1>>>(out + 4);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  const int wanted[] = {2, 25, 'Z', 12, 162};
  int wrong = 0;
  for (int i = 0; i < 5; ++i) {
    if (out[i] != wanted[i]) std::printf("%d: %d, not %d\n", i, out[i], wanted[i]);
    wrong += out[i] != wanted[i];
  }
  return wrong != 0;
}
