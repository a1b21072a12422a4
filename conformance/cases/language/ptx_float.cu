// Floating-point instructions of inline PTX: rounding, saturation, conversions, comparisons.
#include "../../framework/apply.h"

CONFORMANCE_CASE("language.ptx_float");

__device__ inline float addUp(float a, float b) {
  float r;
  asm("add.rp.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline float mulZero(float a, float b) {
  float r;
  asm("mul.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline float divDown(float a, float b) {
  float r;
  asm("div.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline float fused(float a, float b, float c) {
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}

__device__ inline double fusedUp(double a, double b, double c) {
  double r;
  asm("fma.rp.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a), "d"(b), "d"(c));
  return r;
}

__device__ inline float saturated(float a, float b) {
  float r;
  asm("add.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline float least(float a, float b) {
  float r;
  asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline double most(double a, double b) {
  double r;
  asm("max.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}

__device__ inline float magnitude(float a) {
  float r;
  asm("abs.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}

__device__ inline float signed_(float a, float b) {
  float r;
  asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ inline float reciprocal(float a) {
  float r;
  asm("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}

__device__ inline float root(float a) {
  float r;
  asm("sqrt.rz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}

__device__ inline double rootDouble(double a) {
  double r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
}

__device__ inline int toInt(float a) {
  int r;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}

__device__ inline int toIntDown(float a) {
  int r;
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}

__device__ inline unsigned toUnsigned(float a) {
  unsigned r;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}

__device__ inline long long toLong(double a) {
  long long r;
  asm("cvt.rpi.s64.f64 %0, %1;" : "=l"(r) : "d"(a));
  return r;
}

__device__ inline float narrowed(double a) {
  float r;
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
  return r;
}

__device__ inline float rounded(float a) {
  float r;
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}

__device__ inline float fromUnsigned(unsigned a) {
  float r;
  asm("cvt.rz.f32.u32 %0, %1;" : "=f"(r) : "r"(a));
  return r;
}

__device__ inline float fromLong(unsigned long long a) {
  float r;
  asm("cvt.rn.f32.u64 %0, %1;" : "=f"(r) : "l"(a));
  return r;
}

__device__ inline double doubleFromInt(int a) {
  double r;
  asm("cvt.rn.f64.s32 %0, %1;" : "=d"(r) : "r"(a));
  return r;
}

__device__ inline unsigned bits(float a) {
  unsigned r;
  asm("mov.b32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}

__device__ inline int compared(float a, float b) {
  int r;
  asm("{\n\t.reg .pred p, q;\n\tsetp.leu.f32 p, %1, %2;\n\tsetp.gt.and.f32 q, %1, 0f3F800000, p;\n\tselp.s32 "
      "%0, 3, 4, p;\n\t@q add.s32 %0, %0, 10;\n\t}"
      : "=r"(r)
      : "f"(a), "f"(b));
  return r;
}

__device__ inline int kinds(float a) {
  int r;
  asm("{\n\t.reg .pred p;\n\ttestp.infinite.f32 p, %1;\n\tselp.s32 %0, 1, 0, p;\n\ttestp.finite.f32 p, "
      "%1;\n\t@p or.b32 %0, %0, 2;\n\t}"
      : "=r"(r)
      : "f"(a));
  return r;
}

APPLY2(float, float, addUp);
APPLY2(float, float, mulZero);
APPLY2(float, float, divDown);
APPLY3(float, float, fused);
APPLY3(double, double, fusedUp);
APPLY2(float, float, saturated);
APPLY2(float, float, least);
APPLY2(double, double, most);
APPLY1(float, float, magnitude);
APPLY2(float, float, signed_);
APPLY1(float, float, reciprocal);
APPLY1(float, float, root);
APPLY1(double, double, rootDouble);
APPLY1(int, float, toInt);
APPLY1(int, float, toIntDown);
APPLY1(unsigned, float, toUnsigned);
APPLY1(long long, double, toLong);
APPLY1(float, double, narrowed);
APPLY1(float, float, rounded);
APPLY1(float, unsigned, fromUnsigned);
APPLY1(float, unsigned long long, fromLong);
APPLY1(double, int, doubleFromInt);
APPLY1(unsigned, float, bits);
APPLY2(int, float, compared);
APPLY1(int, float, kinds);

int main() {
  const float inf = __builtin_inff();
  const std::vector<float> floats = {0.0f,       -0.0f,  0.5f,   1.0f,     -1.5f,       2.5f,
                                     3.1415927f, -7.75f, 1e-20f, 65504.0f, 16777218.0f, -2147483648.0f,
                                     3e9f,       1e30f,  inf,    -inf};
  const std::vector<double> doubles = {0.0,    0.1,  -0.5, 1.5, 2.0, 1e10, -3.7e18, 4503599627370497.5,
                                       1e-300, 1e300};
  const std::vector<unsigned> words = {0u, 1u, 16777217u, 0x7fffffffu, 0x80000001u, 0xffffffffu};
  const std::vector<int> numbers(words.begin(), words.end());
  const std::vector<unsigned long long> longs = {0u, 1u, 0x1000001u, 0x8000008000000001u,
                                                 0xffffffffffffffffu};
  OBSERVE("addUp", appliedToPairs<APPLIED(addUp)>(floats));
  OBSERVE("mulZero", appliedToPairs<APPLIED(mulZero)>(floats));
  OBSERVE("divDown", appliedToPairs<APPLIED(divDown)>(floats));
  OBSERVE("fused", appliedToTriples<APPLIED(fused)>(floats));
  OBSERVE("fusedUp", appliedToTriples<APPLIED(fusedUp)>(doubles));
  OBSERVE("saturated", appliedToPairs<APPLIED(saturated)>(floats));
  OBSERVE("least", appliedToPairs<APPLIED(least)>(floats));
  OBSERVE("most", appliedToPairs<APPLIED(most)>(doubles));
  OBSERVE("magnitude", appliedToEach<APPLIED(magnitude)>(floats));
  OBSERVE("signed_", appliedToPairs<APPLIED(signed_)>(floats));
  OBSERVE("reciprocal", appliedToEach<APPLIED(reciprocal)>(floats));
  OBSERVE("root", appliedToEach<APPLIED(root)>(floats));
  OBSERVE("rootDouble", appliedToEach<APPLIED(rootDouble)>(doubles));
  OBSERVE("toInt", appliedToEach<APPLIED(toInt)>(floats));
  OBSERVE("toIntDown", appliedToEach<APPLIED(toIntDown)>(floats));
  OBSERVE("toUnsigned", appliedToEach<APPLIED(toUnsigned)>(floats));
  OBSERVE("toLong", appliedToEach<APPLIED(toLong)>(doubles));
  OBSERVE("narrowed", appliedToEach<APPLIED(narrowed)>(doubles));
  OBSERVE("rounded", appliedToEach<APPLIED(rounded)>(floats));
  OBSERVE("fromUnsigned", appliedToEach<APPLIED(fromUnsigned)>(words));
  OBSERVE("fromLong", appliedToEach<APPLIED(fromLong)>(longs));
  OBSERVE("doubleFromInt", appliedToEach<APPLIED(doubleFromInt)>(numbers));
  OBSERVE("bits", appliedToEach<APPLIED(bits)>(floats));
  OBSERVE("compared", appliedToPairs<APPLIED(compared)>(floats));
  OBSERVE("kinds", appliedToEach<APPLIED(kinds)>(floats));
}
