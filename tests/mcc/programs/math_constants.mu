// The constants of math_constants.h: each has the bits of the value that its name stands for, rounded to its type (computed with 400
// bits; CUDA's header has the same), on the host, on devices and when the program is compiled.
#include <math_constants.h>
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>

// clang-format off
#define FLOATS \
  X(2_OVER_PI_F, 0x3f22f983) X(3PIO4_F, 0x4016cbe4) X(INF_F, 0x7f800000) X(L2E_F, 0x3fb8aa3b) X(L2T_F, 0x40549a78) \
  X(LG2_F, 0x3e9a209b) X(LGE_F, 0x3ede5bd9) X(LN2_F, 0x3f317218) X(LNPI_F, 0x3f928682) X(LNT_F, 0x40135d8e) \
  X(MAX_NORMAL_F, 0x7f7fffff) X(MIN_DENORM_F, 0x00000001) X(NAN_F, 0x7fffffff) X(NEG_ZERO_F, 0x80000000) X(NORM_HUGE_F, 0x7f7fffff) \
  X(ONE_F, 0x3f800000) X(PIO2_F, 0x3fc90fdb) X(PIO4_F, 0x3f490fdb) X(PI_F, 0x40490fdb) X(SQRT_2_OVER_PI_F, 0x3f4c422a) \
  X(SQRT_HALF_F, 0x3f3504f3) X(SQRT_HALF_HI_F, 0x3f3504f3) X(SQRT_HALF_LO_F, 0x324fe77a) X(SQRT_TWO_F, 0x3fb504f3) X(THIRD_F, 0x3eaaaaab) \
  X(TRIG_PLOSS_F, 0x47ce4780) X(TWO_TO_126_F, 0x7e800000) X(TWO_TO_23_F, 0x4b000000) X(TWO_TO_24_F, 0x4b800000) X(TWO_TO_31_F, 0x4f000000) \
  X(TWO_TO_32_F, 0x4f800000) X(TWO_TO_M126_F, 0x00800000) X(ZERO_F, 0x00000000)
#define DOUBLES \
  X(2_OVER_PI, 0x3fe45f306dc9c883) X(3PIO4, 0x4002d97c7f3321d2) X(DBL2INT_CVT, 0x4338000000000000) X(INF, 0x7ff0000000000000) \
  X(L2E, 0x3ff71547652b82fe) X(L2E_HI, 0x3ff71547652b82fe) X(L2E_LO, 0x3c7777d0ffda0d24) X(L2T, 0x400a934f0979a371) \
  X(LG2, 0x3fd34413509f79ff) X(LG2_HI, 0x3fd34413509f79ff) X(LG2_LO, 0xbc49dc1da994fd21) X(LG2_X_1024, 0x40734413509f79ff) \
  X(LG2_X_1075, 0x407439b746e36b52) X(LGE, 0x3fdbcb7b1526e50e) X(LGE_HI, 0x3fdbcb7b1526e50e) X(LGE_LO, 0x3c695355baaafad3) \
  X(LN2, 0x3fe62e42fefa39ef) X(LN2_HI, 0x3fe62e42fefa39ef) X(LN2_LO, 0x3c7abc9e3b39803f) X(LN2_X_1024, 0x40862e42fefa39ef) \
  X(LN2_X_1025, 0x408633ce8fb9f87e) X(LN2_X_1075, 0x40874910d52d3052) X(LNPI, 0x3ff250d048e7a1bd) X(LNT, 0x40026bb1bbb55516) \
  X(LNT_HI, 0x40026bb1bbb55516) X(LNT_LO, 0xbcaf48ad494ea3e9) X(MIN_DENORM, 0x0000000000000001) X(NAN, 0xfff8000000000000) \
  X(NEG_ZERO, 0x8000000000000000) X(ONE, 0x3ff0000000000000) X(PI, 0x400921fb54442d18) X(PIO2, 0x3ff921fb54442d18) \
  X(PIO2_HI, 0x3ff921fb54442d18) X(PIO2_LO, 0x3c91a62633145c07) X(PIO4, 0x3fe921fb54442d18) X(PIO4_HI, 0x3fe921fb54442d18) \
  X(PIO4_LO, 0x3c81a62633145c07) X(PI_HI, 0x400921fb54442d18) X(PI_LO, 0x3ca1a62633145c07) X(SQRT_2OPI, 0x3fe9884533d43651) \
  X(SQRT_2PI, 0x40040d931ff62706) X(SQRT_2PI_HI, 0x40040d931ff62706) X(SQRT_2PI_LO, 0xbcaa6a0d6f814637) X(SQRT_HALF, 0x3fe6a09e667f3bcd) \
  X(SQRT_HALF_HI, 0x3fe6a09e667f3bcd) X(SQRT_HALF_LO, 0xbc8bdd3413b26456) X(SQRT_PIO2, 0x3ff40d931ff62706) X(SQRT_PIO2_HI, 0x3ff40d931ff62706) \
  X(SQRT_PIO2_LO, 0xbc9a6a0d6f814637) X(SQRT_TWO, 0x3ff6a09e667f3bcd) X(THIRD, 0x3fd5555555555555) X(TRIG_PLOSS, 0x41e0000000000000) \
  X(TWOTHIRD, 0x3fe5555555555555) X(TWO_TO_23, 0x4160000000000000) X(TWO_TO_52, 0x4330000000000000) X(TWO_TO_53, 0x4340000000000000) \
  X(TWO_TO_54, 0x4350000000000000) X(TWO_TO_M1022, 0x0010000000000000) X(TWO_TO_M54, 0x3c90000000000000) X(ZERO, 0x0000000000000000)
// clang-format on

#define X(name, bits) static_assert(__builtin_bit_cast(unsigned, MUSART_##name) == bits##u, #name);
FLOATS
#undef X
#define X(name, bits) static_assert(__builtin_bit_cast(unsigned long long, MUSART_##name) == bits##ull, #name);
DOUBLES
#undef X
static_assert(MUSART_REMQUO_BITS_F == 3u && MUSART_REMQUO_MASK_F == 7u, "");

#define X(name, bits) 1 +
constexpr int kFloats = FLOATS 0, kDoubles = DOUBLES 0;
#undef X

__host__ __device__ void fill(float* floats, double* doubles) {
#define X(name, bits) *floats++ = MUSART_##name;
  FLOATS
#undef X
#define X(name, bits) *doubles++ = MUSART_##name;
  DOUBLES
#undef X
}

__global__ void kernel(float* floats, double* doubles) { fill(floats, doubles); }

struct Row {
  const char* name;
  unsigned long long bits;
};
#define X(name, bits) {#name, bits##ull},
constexpr Row kFloatRows[] = {FLOATS}, kDoubleRows[] = {DOUBLES};
#undef X

int check(const char* where, const float* floats, const double* doubles) {
  int wrong = 0;
  for (int i = 0; i < kFloats; ++i) {
    unsigned bits;
    memcpy(&bits, &floats[i], sizeof bits);
    if (bits != kFloatRows[i].bits) ++wrong, printf("%s: %s is %08x\n", where, kFloatRows[i].name, bits);
  }
  for (int i = 0; i < kDoubles; ++i) {
    unsigned long long bits;
    memcpy(&bits, &doubles[i], sizeof bits);
    if (bits != kDoubleRows[i].bits) ++wrong, printf("%s: %s is %016llx\n", where, kDoubleRows[i].name, bits);
  }
  return wrong;
}

int main() {
  static_assert(kFloats + kDoubles + 2 == 95, "");
  float *floats, hostFloats[kFloats];
  double *doubles, hostDoubles[kDoubles];
  if (musaMallocManaged(&floats, sizeof hostFloats) != musaSuccess) return 2;
  if (musaMallocManaged(&doubles, sizeof hostDoubles) != musaSuccess) return 2;
  kernel<<<1, 1>>>(floats, doubles);
  if (musaDeviceSynchronize() != musaSuccess) return 2;
  fill(hostFloats, hostDoubles);
  const int wrong = check("host", hostFloats, hostDoubles) + check("device", floats, doubles);
  printf("%d constants, %d wrong\n", kFloats + kDoubles, wrong);
  return wrong != 0;
}
