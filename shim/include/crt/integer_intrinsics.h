/* Integer intrinsics (CUDA Math API, "Integer Intrinsics"). Plain C++, so that the
 * host tests of this SDK run the very code that kernels run. */
#ifndef MUSASHIM_CRT_INTEGER_INTRINSICS_H
#define MUSASHIM_CRT_INTEGER_INTRINSICS_H

#include "../vector_types.h"
#include "host_defines.h"

/* -- High halves of products, 24-bit products -- */
MUSASHIM_D unsigned int __umulhi(unsigned int a, unsigned int b) {
  return unsigned((unsigned long long)a * b >> 32);
}
MUSASHIM_D int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
MUSASHIM_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
MUSASHIM_D long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
MUSASHIM_D unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
MUSASHIM_D int __mul24(int a, int b) {
  const int a24 = int(unsigned(a) << 8) >> 8, b24 = int(unsigned(b) << 8) >> 8;
  return int(unsigned(a24) * unsigned(b24));
}

/* -- Counting and finding bits -- */
MUSASHIM_D int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
MUSASHIM_D int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
MUSASHIM_D int __popc(unsigned int x) { return __builtin_popcount(x); }
MUSASHIM_D int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
MUSASHIM_D int __ffs(int x) { return __builtin_ffs(x); }
MUSASHIM_D int __ffsll(long long x) { return __builtin_ffsll(x); }

MUSASHIM_D unsigned int __brev(unsigned int x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
MUSASHIM_D unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}

MUSASHIM_D unsigned int __mt_bswap32(unsigned int x) { return __builtin_bswap32(x); }
MUSASHIM_D unsigned long long __mt_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

/* Position of the `offset`-th set bit at or above `base` (below it, when negative);
 * all ones when there is none. */
MUSASHIM_D unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int remaining = offset == 0 ? 1 : offset * step;
  for (int bit = int(base & 31u); bit >= 0 && bit < 32; bit += step) {
    const bool set = mask >> bit & 1u;
    if (offset == 0) return set ? unsigned(bit) : 0xffffffffu;
    if (set && --remaining == 0) return unsigned(bit);
  }
  return 0xffffffffu;
}

/* -- Bytes and shifts -- */
/* Selectors are the four low nibbles of s; a nibble's top bit asks for its byte's sign. */
MUSASHIM_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int selector = s >> (4 * i);
    result |= (unsigned(bytes >> (8 * (selector & 7u))) & 0xffu) << (8 * i);
  }
  return result;
}

/* Shifts of hi:lo; the plain forms take the shift modulo 32, the _c forms at most 32. */
MUSASHIM_D unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return unsigned((((unsigned long long)hi << 32 | lo) << (shift & 31u)) >> 32);
}
MUSASHIM_D unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return unsigned(((unsigned long long)hi << 32 | lo) >> (shift & 31u));
}
MUSASHIM_D unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32u ? lo : __funnelshift_l(lo, hi, shift);
}
MUSASHIM_D unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32u ? hi : __funnelshift_r(lo, hi, shift);
}

/* -- Averages and sums of absolute differences -- */
MUSASHIM_D int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
MUSASHIM_D int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
MUSASHIM_D unsigned int __uhadd(unsigned int a, unsigned int b) {
  return unsigned(((unsigned long long)a + b) >> 1);
}
MUSASHIM_D unsigned int __urhadd(unsigned int a, unsigned int b) {
  return unsigned(((unsigned long long)a + b + 1) >> 1);
}
MUSASHIM_D unsigned int __sad(int a, int b, unsigned int c) {
  return (a < b ? unsigned(b) - unsigned(a) : unsigned(a) - unsigned(b)) + c;
}
MUSASHIM_D unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a < b ? b - a : a - b) + c;
}

/* -- Dot products of bytes with a 32-bit sum (which wraps) -- */
MUSASHIM_D int __dp4a(int a, int b, int c) {
  unsigned int sum = unsigned(c);
  for (int i = 0; i < 4; ++i) sum += unsigned((signed char)(a >> (8 * i)) * (signed char)(b >> (8 * i)));
  return int(sum);
}
MUSASHIM_D unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xffu) * (b >> (8 * i) & 0xffu);
  return c;
}
/* The two 16-bit halves of a times the low (lo) or high (hi) two bytes of b. */
MUSASHIM_D int __dp2a_lo(int a, int b, int c) {
  return int(unsigned((short)a * (signed char)b) + unsigned((short)(a >> 16) * (signed char)(b >> 8)) +
             unsigned(c));
}
MUSASHIM_D int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
MUSASHIM_D unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return (a & 0xffffu) * (b & 0xffu) + (a >> 16) * (b >> 8 & 0xffu) + c;
}
MUSASHIM_D unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return __dp2a_lo(a, b >> 16, c);
}

/* The same of vectors. */
MUSASHIM_D int __dp4a(char4 a, char4 b, int c) {
  return int(unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + unsigned(c));
}
MUSASHIM_D unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}
MUSASHIM_D int __dp2a_lo(short2 a, char4 b, int c) {
  return int(unsigned(a.x * b.x + a.y * b.y) + unsigned(c));
}
MUSASHIM_D int __dp2a_hi(short2 a, char4 b, int c) {
  return int(unsigned(a.x * b.z + a.y * b.w) + unsigned(c));
}
MUSASHIM_D unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return unsigned(a.x * b.x + a.y * b.y) + c;
}
MUSASHIM_D unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return unsigned(a.x * b.z + a.y * b.w) + c;
}

#endif
