// __nv_bfloat16: arithmetic, comparisons, rounding, every conversion, over all or many of its numbers.
#include <cuda_bf16.h>
#include <string.h>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.bfloat16");

__device__ __nv_bfloat16 number(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
__device__ unsigned bitsOf(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ __nv_bfloat162 pair(unsigned bits) {
  return __halves2bfloat162(number(bits & 0xffffu), number(bits >> 16));
}
__device__ unsigned bitsOf(__nv_bfloat162 x) {
  return bitsOf(__low2bfloat16(x)) | bitsOf(__high2bfloat16(x)) << 16;
}
#define NARROW1(name, R, expression)            \
  struct APPLIED(name) {                        \
    typedef R Result;                           \
    typedef unsigned Operand;                   \
    __device__ R operator()(unsigned u) const { \
      const __nv_bfloat16 a = number(u);        \
      return (expression);                      \
    }                                           \
  }
#define NARROW2(name, expression)                                  \
  struct APPLIED(name) {                                           \
    typedef unsigned Result;                                       \
    typedef unsigned Operand;                                      \
    __device__ unsigned operator()(unsigned u, unsigned v) const { \
      const __nv_bfloat16 a = number(u), b = number(v);            \
      return (expression);                                         \
    }                                                              \
  }
#define NARROW3(name, expression)                                              \
  struct APPLIED(name) {                                                       \
    typedef unsigned Result;                                                   \
    typedef unsigned Operand;                                                  \
    __device__ unsigned operator()(unsigned u, unsigned v, unsigned w) const { \
      const __nv_bfloat16 a = number(u), b = number(v), c = number(w);         \
      return (expression);                                                     \
    }                                                                          \
  }
NARROW1(hneg, unsigned, (a == a ? bitsOf(__hneg(a)) : 0x7fffu));
NARROW1(habs, unsigned, (a == a ? bitsOf(__habs(a)) : 0x7fffu));
NARROW2(hadd, bitsOf(__hadd(a, b)));
NARROW2(hsub, bitsOf(__hsub(a, b)));
NARROW2(hmul, bitsOf(__hmul(a, b)));
NARROW2(hdiv, bitsOf(__hdiv(a, b)));
NARROW2(hadd_sat, bitsOf(__hadd_sat(a, b)));
NARROW2(hsub_sat, bitsOf(__hsub_sat(a, b)));
NARROW2(hmul_sat, bitsOf(__hmul_sat(a, b)));
NARROW2(hmin, bitsOf(__hmin(a, b)));
NARROW2(hmax, bitsOf(__hmax(a, b)));
NARROW2(hmin_nan, bitsOf(__hmin_nan(a, b)));
NARROW2(hmax_nan, bitsOf(__hmax_nan(a, b)));
NARROW3(hfma, bitsOf(__hfma(a, b, c)));
NARROW3(hfma_sat, bitsOf(__hfma_sat(a, b, c)));
NARROW3(hfma_relu, bitsOf(__hfma_relu(a, b, c)));
NARROW2(compare, unsigned(__heq(a, b)) << 0 | unsigned(__hequ(a, b)) << 1 | unsigned(__hne(a, b)) << 2 |
                     unsigned(__hneu(a, b)) << 3 | unsigned(__hle(a, b)) << 4 | unsigned(__hleu(a, b)) << 5 |
                     unsigned(__hge(a, b)) << 6 | unsigned(__hgeu(a, b)) << 7 | unsigned(__hlt(a, b)) << 8 |
                     unsigned(__hltu(a, b)) << 9 | unsigned(__hgt(a, b)) << 10 |
                     unsigned(__hgtu(a, b)) << 11);
NARROW1(classes, unsigned, unsigned(__hisnan(a)) | unsigned(__hisinf(a) + 1) << 1);
NARROW1(hceil, unsigned, bitsOf(hceil(a)));
NARROW1(hfloor, unsigned, bitsOf(hfloor(a)));
NARROW1(htrunc, unsigned, bitsOf(htrunc(a)));
NARROW1(hrint, unsigned, bitsOf(hrint(a)));
NARROW1(hsqrt, unsigned, bitsOf(hsqrt(a)));
NARROW1(toFloat, float, __bfloat162float(a));
NARROW1(to_short_rn, short, __bfloat162short_rn(a));
NARROW1(to_short_rz, short, __bfloat162short_rz(a));
NARROW1(to_short_ru, short, __bfloat162short_ru(a));
NARROW1(to_short_rd, short, __bfloat162short_rd(a));
NARROW1(to_ushort_rn, unsigned short, __bfloat162ushort_rn(a));
NARROW1(to_ushort_rz, unsigned short, __bfloat162ushort_rz(a));
NARROW1(to_ushort_ru, unsigned short, __bfloat162ushort_ru(a));
NARROW1(to_ushort_rd, unsigned short, __bfloat162ushort_rd(a));
NARROW1(to_int_rn, int, __bfloat162int_rn(a));
NARROW1(to_int_rz, int, __bfloat162int_rz(a));
NARROW1(to_int_ru, int, __bfloat162int_ru(a));
NARROW1(to_int_rd, int, __bfloat162int_rd(a));
NARROW1(to_uint_rn, unsigned, __bfloat162uint_rn(a));
NARROW1(to_uint_rz, unsigned, __bfloat162uint_rz(a));
NARROW1(to_uint_ru, unsigned, __bfloat162uint_ru(a));
NARROW1(to_uint_rd, unsigned, __bfloat162uint_rd(a));
NARROW1(to_ll_rn, long long, __bfloat162ll_rn(a));
NARROW1(to_ll_rz, long long, __bfloat162ll_rz(a));
NARROW1(to_ll_ru, long long, __bfloat162ll_ru(a));
NARROW1(to_ll_rd, long long, __bfloat162ll_rd(a));
NARROW1(to_ull_rn, unsigned long long, __bfloat162ull_rn(a));
NARROW1(to_ull_rz, unsigned long long, __bfloat162ull_rz(a));
NARROW1(to_ull_ru, unsigned long long, __bfloat162ull_ru(a));
NARROW1(to_ull_rd, unsigned long long, __bfloat162ull_rd(a));
struct APPLIED(from_float) {
  typedef unsigned Result;
  typedef float Operand;
  __device__ unsigned operator()(float x) const {
    return bitsOf(__float2bfloat16_rn(x)) * 3u + bitsOf(__float2bfloat16_rz(x)) * 65537u +
           bitsOf(__float2bfloat16_ru(x)) * 5u + bitsOf(__float2bfloat16_rd(x)) * 7u;
  }
};
struct APPLIED(from_double) {
  typedef unsigned Result;
  typedef double Operand;
  __device__ unsigned operator()(double x) const { return bitsOf(__double2bfloat16(x)); }
};
struct APPLIED(from_integer) {
  typedef unsigned Result;
  typedef long long Operand;
  __device__ unsigned operator()(long long x) const {
    unsigned sum = 0;
    sum = sum * 31u + bitsOf(__short2bfloat16_rn(static_cast<short>(x)));
    sum = sum * 31u + bitsOf(__short2bfloat16_rz(static_cast<short>(x)));
    sum = sum * 31u + bitsOf(__short2bfloat16_ru(static_cast<short>(x)));
    sum = sum * 31u + bitsOf(__short2bfloat16_rd(static_cast<short>(x)));
    sum = sum * 31u + bitsOf(__ushort2bfloat16_rn(static_cast<unsigned short>(x)));
    sum = sum * 31u + bitsOf(__ushort2bfloat16_rz(static_cast<unsigned short>(x)));
    sum = sum * 31u + bitsOf(__ushort2bfloat16_ru(static_cast<unsigned short>(x)));
    sum = sum * 31u + bitsOf(__ushort2bfloat16_rd(static_cast<unsigned short>(x)));
    sum = sum * 31u + bitsOf(__int2bfloat16_rn(static_cast<int>(x)));
    sum = sum * 31u + bitsOf(__int2bfloat16_rz(static_cast<int>(x)));
    sum = sum * 31u + bitsOf(__int2bfloat16_ru(static_cast<int>(x)));
    sum = sum * 31u + bitsOf(__int2bfloat16_rd(static_cast<int>(x)));
    sum = sum * 31u + bitsOf(__uint2bfloat16_rn(static_cast<unsigned>(x)));
    sum = sum * 31u + bitsOf(__uint2bfloat16_rz(static_cast<unsigned>(x)));
    sum = sum * 31u + bitsOf(__uint2bfloat16_ru(static_cast<unsigned>(x)));
    sum = sum * 31u + bitsOf(__uint2bfloat16_rd(static_cast<unsigned>(x)));
    sum = sum * 31u + bitsOf(__ll2bfloat16_rn(static_cast<long long>(x)));
    sum = sum * 31u + bitsOf(__ll2bfloat16_rz(static_cast<long long>(x)));
    sum = sum * 31u + bitsOf(__ll2bfloat16_ru(static_cast<long long>(x)));
    sum = sum * 31u + bitsOf(__ll2bfloat16_rd(static_cast<long long>(x)));
    sum = sum * 31u + bitsOf(__ull2bfloat16_rn(static_cast<unsigned long long>(x)));
    sum = sum * 31u + bitsOf(__ull2bfloat16_rz(static_cast<unsigned long long>(x)));
    sum = sum * 31u + bitsOf(__ull2bfloat16_ru(static_cast<unsigned long long>(x)));
    sum = sum * 31u + bitsOf(__ull2bfloat16_rd(static_cast<unsigned long long>(x)));
    return sum;
  }
};
struct APPLIED(pairs) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned u, unsigned v) const {
    const __nv_bfloat162 a = pair(u * 65537u ^ 0x3a5u << 16), b = pair(v * 65537u ^ 0x1c3u);
    unsigned sum = bitsOf(__hadd2(a, b));
    sum = sum * 31u + bitsOf(__hmul2(a, b));
    sum = sum * 31u + bitsOf(__hfma2(a, b, a));
    sum = sum * 31u + bitsOf(__hmax2(a, b));
    sum = sum * 31u + bitsOf(__heq2(a, b));
    sum = sum * 31u + __hlt2_mask(a, b);
    sum = sum * 31u + unsigned(__hbge2(a, b));
    sum = sum * 31u + bitsOf(__lowhigh2highlow(a)) + bitsOf(__lows2bfloat162(a, b));
    return sum;
  }
};

int main() {
  std::vector<unsigned> all(65536);
  for (unsigned i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<unsigned> some;
  for (unsigned i = 0; i < 65536; i += 461) some.push_back(i);
  for (unsigned bits :
       {0x0000u, 0x8000u, 0x0001u, 0x8001u, 0x03ffu, 0x0400u, 0x3c00u, 0xbc00u, 0x7bffu, 0x7c00u,
        0xfc00u, 0x7e00u, 0x007fu, 0x0080u, 0x3f80u, 0xbf80u, 0x7f7fu, 0x7f80u, 0xff80u, 0x7fffu})
    some.push_back(bits);
  OBSERVE("__hneg", appliedToEach<APPLIED(hneg)>(all));
  OBSERVE("__habs", appliedToEach<APPLIED(habs)>(all));
  OBSERVE("__hadd", appliedToPairs<APPLIED(hadd)>(some));
  OBSERVE("__hsub", appliedToPairs<APPLIED(hsub)>(some));
  OBSERVE("__hmul", appliedToPairs<APPLIED(hmul)>(some));
  OBSERVE("__hdiv", appliedToPairs<APPLIED(hdiv)>(some));
  OBSERVE("__hadd_sat", appliedToPairs<APPLIED(hadd_sat)>(some));
  OBSERVE("__hsub_sat", appliedToPairs<APPLIED(hsub_sat)>(some));
  OBSERVE("__hmul_sat", appliedToPairs<APPLIED(hmul_sat)>(some));
  OBSERVE("__hmin", appliedToPairs<APPLIED(hmin)>(some));
  OBSERVE("__hmax", appliedToPairs<APPLIED(hmax)>(some));
  OBSERVE("__hmin_nan", appliedToPairs<APPLIED(hmin_nan)>(some));
  OBSERVE("__hmax_nan", appliedToPairs<APPLIED(hmax_nan)>(some));
  OBSERVE("__hfma", appliedToTriples<APPLIED(hfma)>(some));
  OBSERVE("__hfma_sat", appliedToTriples<APPLIED(hfma_sat)>(some));
  OBSERVE("__hfma_relu", appliedToTriples<APPLIED(hfma_relu)>(some));
  OBSERVE("comparisons", appliedToPairs<APPLIED(compare)>(some));
  OBSERVE("classes", appliedToEach<APPLIED(classes)>(all));
  OBSERVE("hceil", appliedToEach<APPLIED(hceil)>(all));
  OBSERVE("hfloor", appliedToEach<APPLIED(hfloor)>(all));
  OBSERVE("htrunc", appliedToEach<APPLIED(htrunc)>(all));
  OBSERVE("hrint", appliedToEach<APPLIED(hrint)>(all));
  OBSERVE("hsqrt", appliedToEach<APPLIED(hsqrt)>(all));
  OBSERVE("to_float", appliedToEach<APPLIED(toFloat)>(all));
  OBSERVE("to_short_rn", appliedToEach<APPLIED(to_short_rn)>(all));
  OBSERVE("to_short_rz", appliedToEach<APPLIED(to_short_rz)>(all));
  OBSERVE("to_short_ru", appliedToEach<APPLIED(to_short_ru)>(all));
  OBSERVE("to_short_rd", appliedToEach<APPLIED(to_short_rd)>(all));
  OBSERVE("to_ushort_rn", appliedToEach<APPLIED(to_ushort_rn)>(all));
  OBSERVE("to_ushort_rz", appliedToEach<APPLIED(to_ushort_rz)>(all));
  OBSERVE("to_ushort_ru", appliedToEach<APPLIED(to_ushort_ru)>(all));
  OBSERVE("to_ushort_rd", appliedToEach<APPLIED(to_ushort_rd)>(all));
  OBSERVE("to_int_rn", appliedToEach<APPLIED(to_int_rn)>(all));
  OBSERVE("to_int_rz", appliedToEach<APPLIED(to_int_rz)>(all));
  OBSERVE("to_int_ru", appliedToEach<APPLIED(to_int_ru)>(all));
  OBSERVE("to_int_rd", appliedToEach<APPLIED(to_int_rd)>(all));
  OBSERVE("to_uint_rn", appliedToEach<APPLIED(to_uint_rn)>(all));
  OBSERVE("to_uint_rz", appliedToEach<APPLIED(to_uint_rz)>(all));
  OBSERVE("to_uint_ru", appliedToEach<APPLIED(to_uint_ru)>(all));
  OBSERVE("to_uint_rd", appliedToEach<APPLIED(to_uint_rd)>(all));
  OBSERVE("to_ll_rn", appliedToEach<APPLIED(to_ll_rn)>(all));
  OBSERVE("to_ll_rz", appliedToEach<APPLIED(to_ll_rz)>(all));
  OBSERVE("to_ll_ru", appliedToEach<APPLIED(to_ll_ru)>(all));
  OBSERVE("to_ll_rd", appliedToEach<APPLIED(to_ll_rd)>(all));
  OBSERVE("to_ull_rn", appliedToEach<APPLIED(to_ull_rn)>(all));
  OBSERVE("to_ull_rz", appliedToEach<APPLIED(to_ull_rz)>(all));
  OBSERVE("to_ull_ru", appliedToEach<APPLIED(to_ull_ru)>(all));
  OBSERVE("to_ull_rd", appliedToEach<APPLIED(to_ull_rd)>(all));
  std::vector<float> floats;
  std::vector<double> doubles;
  for (unsigned i = 0; i < 60000; ++i) {
    const unsigned bits = i * 71585u + 12345u;
    float x;
    memcpy(&x, &bits, sizeof x);
    floats.push_back(x);
    doubles.push_back(static_cast<double>(x) * 1.0000000001);
  }
  OBSERVE("from_float", appliedToEach<APPLIED(from_float)>(floats));
  OBSERVE("from_double", appliedToEach<APPLIED(from_double)>(doubles));
  std::vector<long long> integers;
  for (long long i = 0; i < 4000; ++i) integers.push_back((i * i * i * 104729ll) * (i % 2 ? 1 : -1) + i);
  OBSERVE("from_integers", appliedToEach<APPLIED(from_integer)>(integers));
  OBSERVE("pairs", appliedToPairs<APPLIED(pairs)>(some));
}
