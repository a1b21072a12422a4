// nvcc's traits of extended lambdas.
#include <musa_runtime.h>

#include <cstdio>

#define DEVICE(...) __nv_is_extended_device_lambda_closure_type(__VA_ARGS__)
#define PRESERVED(...) __nv_is_extended_device_lambda_with_preserved_return_type(__VA_ARGS__)
#define BOTH(...) __nv_is_extended_host_device_lambda_closure_type(__VA_ARGS__)

template <bool device, bool preserved, bool both, class F>
void is(F) {
  static_assert(DEVICE(F) == device && PRESERVED(F) == preserved && BOTH(F) == both, "");
  static_assert(DEVICE(const F) == device && !DEVICE(const F&) && !DEVICE(F*), "");
}

struct Functor {
  __device__ int operator()() { return 1; }
};
struct Class {
  void member() {
    is<1, 0, 0>([=] __device__() { return 1; });
  }
};
template <class F>
void inner(F f) {
  is<1, 0, 0>([=] __device__() { f(); });
}
inline auto ofFile = [] { return 1; };
static_assert(!DEVICE(int) && !DEVICE(decltype(ofFile)), "");

void host() {
  int x = 3;
  is<1, 0, 0>([] __device__() { return 1; });
  is<1, 1, 0>([] __device__() -> int { return 1; });
  is<1, 0, 0>([] __device__(int y) -> decltype(y) { return 1; });
  is<0, 0, 1>([] __host__ __device__() { return 1; });
  is<0, 0, 1>([] __host__ __device__() -> int { return 1; });
  is<0, 0, 0>([]() { return 1; });
  is<0, 0, 0>([] __host__() { return 1; });
  is<0, 0, 0>(Functor());
  is<1, 0, 0>([=] __device__() mutable { return x; });
  is<1, 0, 0>([=] __device__(auto y) { return x + y; });
  auto later = [=] __device__() -> double { return x; };
  static_assert(DEVICE(decltype(later)) && PRESERVED(decltype(later)), "");
  inner(later);
}

__host__ __device__ void bothSides() {
  auto one = [] __device__() { return 1; };
  auto other = [] __host__ __device__ { return 1; };
  static_assert(DEVICE(decltype(one)) && BOTH(decltype(other)), "");
}

__global__ void kernel(bool* out) {
  auto plain = [] { return 1; };
  auto marked = [] __device__() { return 1; };
  auto both = [] __host__ __device__ { return 1; };
  static_assert(!DEVICE(decltype(plain)) && !DEVICE(decltype(marked)) && !BOTH(decltype(both)), "");
  *out = plain() + marked() + both() == 3;
}

int main() {
  host();
  bothSides();
  Class().member();
  bool* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess || !*out) return 1;
  std::printf("passed\n");
}
