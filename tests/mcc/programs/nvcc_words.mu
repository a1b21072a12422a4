// What nvcc knows beyond the language standard, its pragmas, and what its headers bring along.
#include <musa_runtime.h>

static int table[3];
static int size() { return static_cast<int>(std::size(table)) + (INT_MAX - 0x7fffffff); }

#pragma nv_diagnostic push
#pragma nv_diag_suppress 177, 20012
#pragma nv_diag_default 177
#pragma nv_diagnostic pop
#pragma diag_suppress 177
#pragma hd_warning_disable
template <class T>
__host__ __device__ T same(T x) {
  return x;
}
#pragma nv_exec_check_disable
__device__ int nothing();

template <class T>
__global__ void kernel(T* out) {
  T x = 1;
  typeof(x) y = x;
  __typeof__(same(y)) z = same(y);
  typeof(T) w = z;
  out[0] = w + static_cast<typeof(x)>(2);
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof(int)) != musaSuccess) return 1;
  kernel<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  typeof(*out) have = *out;
  printf(have == 3 && size() == 3 ? "passed\n" : "%d\n", have);
  return have != 3 || size() != 3;
}
