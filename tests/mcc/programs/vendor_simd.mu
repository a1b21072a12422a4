// mp_31's operations on two and four floats by the vendor's names, on vectors of either kind that clang has,
// as public code passes them. Checks itself.
#include <musa_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

typedef float Ext2 __attribute__((ext_vector_type(2)));
typedef float Ext4 __attribute__((ext_vector_type(4)));
using Gnu2 = float __attribute__((vector_size(8)));
using Gnu4 = float __attribute__((vector_size(16)));

template <typename V, int kCount, bool kOfGcc>
struct Operands {
  V a, b, c;
  float s, t;
};
constexpr int kOperations = 12;

#if __MUSA_ARCH__ == 310
#define OPERATIONS(n)                                \
  out[0] = __musa_add_f_bst##n##_vv(o.a, o.b);       \
  out[1] = __musa_add_f_bst##n##_sv(o.s, o.b);       \
  out[2] = __musa_mul_f_bst##n##_vv(o.a, o.b);       \
  out[3] = __musa_mul_f_bst##n##_sv(o.s, o.b);       \
  out[4] = __musa_max_f_bst##n##_vv(o.a, o.b);       \
  out[5] = __musa_max_f_bst##n##_sv(o.s, o.b);       \
  out[6] = __musa_fma_f_bst##n##_vvv(o.a, o.b, o.c); \
  out[7] = __musa_fma_f_bst##n##_svv(o.s, o.b, o.c); \
  out[8] = __musa_fma_f_bst##n##_vvs(o.a, o.b, o.t); \
  out[9] = __musa_fma_f_bst##n##_svs(o.s, o.b, o.t); \
  out[10] = __musa_exp2_f_bst##n##_v(o.c);           \
  out[11] = __musa_fabs_f_bst##n(o.a)
#else
#define OPERATIONS(n)
#endif

#define KERNEL(n, V, kOfGcc) \
  __global__ void run##V(Operands<V, n, kOfGcc> o, V* out) { OPERATIONS(n); }
KERNEL(2, Ext2, false)
KERNEL(4, Ext4, false)
KERNEL(2, Gnu2, true)
KERNEL(4, Gnu4, true)

int failures = 0;
template <typename V, int kCount, bool kOfGcc>
void check(const char* name, void (*kernel)(Operands<V, kCount, kOfGcc>, V*)) {
  Operands<V, kCount, kOfGcc> o;
  for (int i = 0; i < kCount; ++i) {
    o.a[i] = 1.1f - float(i) * 2.3f;
    o.b[i] = 0.7f * float(i) - 0.9f;
    o.c[i] = float(i) - 1.5f;
  }
  o.b[1] = NAN;
  o.s = 0.3f;
  o.t = -1e-8f;
  V* out;
  musaMallocManaged(&out, kOperations * sizeof(V));
  kernel<<<1, 1>>>(o, out);
  const musaError_t error = musaDeviceSynchronize();
  for (int i = 0; i < kCount; ++i) {
    const float a = o.a[i], b = o.b[i], c = o.c[i], s = o.s, t = o.t;
    const float want[kOperations] = {a + b,
                                     s + b,
                                     a * b,
                                     s * b,
                                     std::fmax(a, b),
                                     std::fmax(s, b),
                                     std::fma(a, b, c),
                                     std::fma(s, b, c),
                                     std::fma(a, b, t),
                                     std::fma(s, b, t),
                                     std::exp2(c),
                                     std::fabs(a)};
    for (int j = 0; j < kOperations; ++j) {
      const float have = out[j][i];
      const bool same = (have != have && want[j] != want[j]) ||
                        (j == 10 ? std::fabs(have - want[j]) < 1e-6f : have == want[j]);
      if (error == musaSuccess && same) continue;
      printf("%s, operation %d, element %d: %g, not %g (%s)\n", name, j, i, have, want[j],
             musaGetErrorString(error));
      ++failures;
    }
  }
  musaFree(out);
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  if (properties.major == 2) {
    printf("ok, mp_22 has none\n");
    return 0;
  }
  check<Ext2, 2, false>("two", runExt2);
  check<Ext4, 4, false>("four", runExt4);
  check<Gnu2, 2, true>("two of gcc's", runGnu2);
  check<Gnu4, 4, true>("four of gcc's", runGnu4);
  if (failures == 0) printf("ok\n");
  return failures != 0;
}
