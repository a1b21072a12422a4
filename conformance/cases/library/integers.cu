// Integer intrinsics over all pairs of numbers that matter.
#include "../../framework/apply.h"

CONFORMANCE_CASE("library.integers");

APPLY1(int, int, __clz);
APPLY1(int, int, __ffs);
APPLY1(int, long long, __clzll);
APPLY1(int, long long, __ffsll);
APPLY1(int, unsigned, __popc);
APPLY1(int, unsigned long long, __popcll);
APPLY1(unsigned, unsigned, __brev);
APPLY1(unsigned long long, unsigned long long, __brevll);
APPLY2(int, int, __hadd);
APPLY2(int, int, __rhadd);
APPLY2(int, int, __mul24);
APPLY2(int, int, __mulhi);
APPLY2(unsigned, unsigned, __uhadd);
APPLY2(unsigned, unsigned, __urhadd);
APPLY2(unsigned, unsigned, __umul24);
APPLY2(unsigned, unsigned, __umulhi);
APPLY2(long long, long long, __mul64hi);
APPLY2(unsigned long long, unsigned long long, __umul64hi);
APPLY3(unsigned, unsigned, __byte_perm);
APPLY3(unsigned, unsigned, __funnelshift_l);
APPLY3(unsigned, unsigned, __funnelshift_lc);
APPLY3(unsigned, unsigned, __funnelshift_r);
APPLY3(unsigned, unsigned, __funnelshift_rc);
APPLY3(unsigned, unsigned, __usad);
APPLY3(unsigned, unsigned, __dp2a_lo);
APPLY3(unsigned, unsigned, __dp2a_hi);
APPLY3(unsigned, unsigned, __dp4a);
struct APPLIED(__sad) {
  typedef unsigned Result;
  typedef int Operand;
  __device__ unsigned operator()(int a, int b, int c) const { return __sad(a, b, static_cast<unsigned>(c)); }
};
struct APPLIED(signed_dp4a) {
  typedef int Result;
  typedef int Operand;
  __device__ int operator()(int a, int b, int c) const { return __dp4a(a, b, c); }
};
struct APPLIED(signed_dp2a) {
  typedef int Result;
  typedef int Operand;
  __device__ int operator()(int a, int b, int c) const {
    return __dp2a_lo(a, b, c) ^ (__dp2a_hi(a, b, c) << 1);
  }
};
struct APPLIED(__fns) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned mask, unsigned base) const {
    unsigned result = 0;
    for (int offset = -3; offset <= 3; ++offset) result = result * 31u + __fns(mask, base & 31u, offset);
    return result;
  }
};

int main() {
  const std::vector<int> ints = {0,        1,         -1,         2,          7,
                                 -5,       255,       -256,       65535,      8388607,
                                 -8388608, 123456789, -987654321, 2147483647, -2147483647 - 1};
  const std::vector<unsigned> words = {0u,          1u,          2u,          0x80000000u, 0xffffffffu,
                                       0x12345678u, 0xdeadbeefu, 0x00ff00ffu, 31u,         32u,
                                       33u,         0x7fffffffu, 0x01020304u};
  const std::vector<long long> longs = {0ll,
                                        1ll,
                                        -1ll,
                                        1ll << 40,
                                        -(1ll << 40),
                                        0x123456789abcdefll,
                                        9223372036854775807ll,
                                        -9223372036854775807ll - 1};
  const std::vector<unsigned long long> ulongs = {
      0ull, 1ull, 1ull << 63, ~0ull, 0x0123456789abcdefull, 0xfedcba9876543210ull};
  OBSERVE("__clz", appliedToEach<APPLIED(__clz)>(ints));
  OBSERVE("__ffs", appliedToEach<APPLIED(__ffs)>(ints));
  OBSERVE("__clzll", appliedToEach<APPLIED(__clzll)>(longs));
  OBSERVE("__ffsll", appliedToEach<APPLIED(__ffsll)>(longs));
  OBSERVE("__popc", appliedToEach<APPLIED(__popc)>(words));
  OBSERVE("__popcll", appliedToEach<APPLIED(__popcll)>(ulongs));
  OBSERVE("__brev", appliedToEach<APPLIED(__brev)>(words));
  OBSERVE("__brevll", appliedToEach<APPLIED(__brevll)>(ulongs));
  OBSERVE("__hadd", appliedToPairs<APPLIED(__hadd)>(ints));
  OBSERVE("__rhadd", appliedToPairs<APPLIED(__rhadd)>(ints));
  OBSERVE("__mul24", appliedToPairs<APPLIED(__mul24)>(ints));
  OBSERVE("__mulhi", appliedToPairs<APPLIED(__mulhi)>(ints));
  OBSERVE("__uhadd", appliedToPairs<APPLIED(__uhadd)>(words));
  OBSERVE("__urhadd", appliedToPairs<APPLIED(__urhadd)>(words));
  OBSERVE("__umul24", appliedToPairs<APPLIED(__umul24)>(words));
  OBSERVE("__umulhi", appliedToPairs<APPLIED(__umulhi)>(words));
  OBSERVE("__mul64hi", appliedToPairs<APPLIED(__mul64hi)>(longs));
  OBSERVE("__umul64hi", appliedToPairs<APPLIED(__umul64hi)>(ulongs));
  OBSERVE("__byte_perm", appliedToTriples<APPLIED(__byte_perm)>(words));
  OBSERVE("__funnelshift_l", appliedToTriples<APPLIED(__funnelshift_l)>(words));
  OBSERVE("__funnelshift_lc", appliedToTriples<APPLIED(__funnelshift_lc)>(words));
  OBSERVE("__funnelshift_r", appliedToTriples<APPLIED(__funnelshift_r)>(words));
  OBSERVE("__funnelshift_rc", appliedToTriples<APPLIED(__funnelshift_rc)>(words));
  OBSERVE("__usad", appliedToTriples<APPLIED(__usad)>(words));
  OBSERVE("__dp2a_lo", appliedToTriples<APPLIED(__dp2a_lo)>(words));
  OBSERVE("__dp2a_hi", appliedToTriples<APPLIED(__dp2a_hi)>(words));
  OBSERVE("__dp4a", appliedToTriples<APPLIED(__dp4a)>(words));
  OBSERVE("__sad", appliedToTriples<APPLIED(__sad)>(ints));
  OBSERVE("signed_dp4a", appliedToTriples<APPLIED(signed_dp4a)>(ints));
  OBSERVE("signed_dp2a", appliedToTriples<APPLIED(signed_dp2a)>(ints));
  OBSERVE("__fns", appliedToPairs<APPLIED(__fns)>(words));
}
