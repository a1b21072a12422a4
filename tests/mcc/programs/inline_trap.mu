// Inline assembly of the vendor's headers: a trap where it is reached, and nothing to say of assembly in
// functions that never become code. Checks itself.
#include <cstdio>

__device__ inline void neverEmitted() { asm("trap;"); }
__device__ inline unsigned long long neverEither(unsigned long long* p) {
  unsigned long long value;
  asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(value) : "l"(p));
  return value;
}
template <class T>
__device__ void neverAnInstance(T* p) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"l"(p));
}
[[maybe_unused]] static __device__ void neverCalled(int* p) { asm volatile("st.volatile.global.u32 [%0], 1;" ::"l"(p)); }

template <class T>
__device__ T check(T value, T most) {
  if (value > most) asm volatile(" trap ;\n" ::: "memory");
  return value;
}

__global__ void fill(int* out, int first, int most) {
  const int me = static_cast<int>(threadIdx.x);
  out[me] = check(first + me, most);
}

int main() {
  int* out = nullptr;
  musaMallocManaged(&out, 64 * sizeof(int));
  fill<<<1, 64>>>(out, 7, 100);
  if (musaDeviceSynchronize() != musaSuccess || out[63] != 70) return std::puts("no result"), 1;
  fill<<<1, 64>>>(out, 50, 100);
  const musaError_t error = musaDeviceSynchronize();
  std::printf("%s\n", musaGetErrorName(error));
  return error == musaErrorLaunchFailure ? 0 : 1;
}
