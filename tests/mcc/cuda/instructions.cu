// Rarer instructions of inline PTX beside what the host computes: 16-bit and saturating arithmetic, video
// instructions, comparisons with two results, conversions, words as vectors, orders of shared accesses,
// groups of asynchronous copies, state spaces.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Int = long long;
using Unsigned = unsigned long long;

// Of two numbers of 64 bits: the instruction's result and the host's, both as 64 bits.
#define INSTRUCTION(NAME, DEVICE, ...)                                     \
  struct NAME {                                                            \
    static __device__ Unsigned onDevice(Unsigned a, Unsigned b) {          \
      Unsigned result = 0;                                                 \
      DEVICE;                                                              \
      return result;                                                       \
    }                                                                      \
    static Unsigned onHost(Unsigned a, Unsigned b) { return __VA_ARGS__; } \
  };
#define WORDS(NAME, TEXT, ...) \
  INSTRUCTION(NAME, unsigned r; TEXT; result = r, static_cast<Unsigned>(static_cast<unsigned>(__VA_ARGS__)))

static Int clamped(Int value, Int least, Int greatest) { return std::min(std::max(value, least), greatest); }
static int low(Unsigned a) { return static_cast<int>(static_cast<unsigned>(a)); }
static unsigned ulow(Unsigned a) { return static_cast<unsigned>(a); }
static short half(Unsigned a) { return static_cast<short>(a); }
static unsigned short uhalf(Unsigned a) { return static_cast<unsigned short>(a); }
static int upper(int a) { return static_cast<int>(static_cast<unsigned>(a) << 8) >> 8; }
template <typename Combine>
static unsigned bytes(Unsigned a, Unsigned b, int width, Combine combine) {
  unsigned result = 0;
  const unsigned mask = width == 8 ? 0xffu : 0xffffu;
  for (int i = 0; i < 32; i += width)
    result |= (static_cast<unsigned>(combine((ulow(a) >> i) & mask, (ulow(b) >> i) & mask)) & mask) << i;
  return result;
}

WORDS(leastShort, unsigned short s;
      asm("min.s16 %0, %1, %2;" : "=h"(s) : "h"((unsigned short)a), "h"((unsigned short)b));
      r = s, uhalf(static_cast<Unsigned>(std::min(half(a), half(b)))))
WORDS(greatestShort, unsigned short s;
      asm("max.u16 %0, %1, %2;" : "=h"(s) : "h"((unsigned short)a), "h"((unsigned short)b));
      r = s, std::max(uhalf(a), uhalf(b)))
WORDS(highShort, unsigned short s;
      asm("mul.hi.s16 %0, %1, %2;" : "=h"(s) : "h"((unsigned short)a), "h"((unsigned short)b));
      r = s, uhalf(static_cast<Unsigned>(half(a) * half(b) >> 16)))
WORDS(wideShort,
      asm("mad.wide.s16 %0, %1, %2, %3;" : "=r"(r) : "h"((unsigned short)a), "h"((unsigned short)b),
          "r"((unsigned)b)),
      static_cast<unsigned>(half(a) * half(b)) + ulow(b))
WORDS(saturatedSum, asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      clamped(Int{low(a)} + low(b), INT32_MIN, INT32_MAX))
WORDS(saturatedDifference, asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      clamped(Int{low(a)} - low(b), INT32_MIN, INT32_MAX))
WORDS(saturatedHigh,
      asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"((unsigned)a)),
      clamped((Int{low(a)} * low(b) >> 32) + low(a), INT32_MIN, INT32_MAX))
WORDS(high24, asm("mul24.hi.s32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      Int{upper(low(a))} * upper(low(b)) >> 16)
WORDS(high24Unsigned, asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      (a & 0xffffffu) * (b & 0xffffffu) >> 16)
INSTRUCTION(distance, asm("sad.u64 %0, %1, %2, %3;" : "=l"(result) : "l"(a), "l"(b), "l"(b)),
            (a > b ? a - b : b - a) + b)
INSTRUCTION(distanceSigned, asm("sad.s64 %0, %1, %2, %3;" : "=l"(result) : "l"(a), "l"(b), "l"(b)),
            (static_cast<Int>(a) > static_cast<Int>(b) ? a - b : b - a) + b)
WORDS(dot, asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(7u)),
      half(a) * static_cast<int>(b >> 16 & 255) + half(a >> 16) * static_cast<int>(b >> 24 & 255) + 7)
WORDS(setBytes,
      asm("vset4.s32.s32.lt %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(0u)),
      bytes(a, b, 8,
            [](unsigned x, unsigned y) { return static_cast<signed char>(x) < static_cast<signed char>(y); }))
WORDS(setHalves,
      asm("vset2.u32.u32.ne %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(0u)),
      bytes(a, b, 16, [](unsigned x, unsigned y) { return x != y; }))
WORDS(average,
      asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(0u)),
      bytes(a, b, 8, [](unsigned x, unsigned y) { return (x + y + 1) >> 1; }))
WORDS(distanceAdded,
      asm("vabsdiff.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(5u)),
      (ulow(a) > ulow(b) ? ulow(a) - ulow(b) : ulow(b) - ulow(a)) + 5u)
WORDS(leastOfThree,
      asm("vmin.s32.s32.s32.min %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "r"(3u)),
      std::min({low(a), low(b), 3}))
WORDS(shifted, asm("vshl.u32.u32.u32.clamp %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      ulow(b) > 31 ? 0u : ulow(a) << ulow(b))
WORDS(logic,
      asm("{ .reg .pred p, q; setp.eq.u32 q, %1, 1; lop3.or.b32 %0|p, %1, %2, %3, 0x6a, q; @p add.u32 %0, "
          "%0, 1; }" : "=r"(r) : "r"((unsigned)a),
          "r"((unsigned)b), "r"((unsigned)(a >> 32))),
      [&] {
        const unsigned x = ulow(a), y = ulow(b), z = ulow(a >> 32);
        const unsigned d = z ^ (x & y);
        return d + (d != 0 || x == 1);
      }())
WORDS(both,
      asm("{ .reg .pred p, q, s; setp.gt.s32 s, %1, 5; setp.lt.and.s32 p|q, %1, %2, s; selp.u32 %0, 1, 0, p; "
          "@q add.u32 %0, %0, 2; }" : "=r"(r) : "r"((unsigned)a),
          "r"((unsigned)b)),
      low(a) > 5 ? (low(a) < low(b) ? 1u : 2u) : 0u)
WORDS(flag, asm("set.le.s32.s32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b)),
      low(a) <= low(b) ? -1 : 0)
WORDS(narrowed, asm("cvt.sat.u32.s64 %0, %1;" : "=r"(r) : "l"(a)),
      clamped(static_cast<Int>(a), 0, 0xffffffffll))
WORDS(narrowedSigned, asm("cvt.sat.s32.u64 %0, %1;" : "=r"(r) : "l"(a)), std::min(a, Unsigned{0x7fffffff}))
INSTRUCTION(notNegative, asm("cvt.sat.u64.s64 %0, %1;" : "=l"(result) : "l"(a)),
            static_cast<Int>(a) < 0 ? 0 : a)
INSTRUCTION(quarters,
            asm("{ .reg .b16 x, y, z, w; mov.b64 {x, y, z, w}, %1; mov.b64 %0, {w, x, z, y}; }" : "=l"(
                result) : "l"(a)),
            (a >> 48 & 0xffff) | (a & 0xffff) << 16 | (a >> 32 & 0xffff) << 32 | (a >> 16 & 0xffff) << 48)
INSTRUCTION(floored, double d = (double)(Int)a / 3.0; asm("cvt.rmi.f64.f64 %0, %0;" : "+d"(d));
            result = (Unsigned)(Int)d,
            static_cast<Unsigned>(static_cast<Int>(std::floor(static_cast<double>(static_cast<Int>(a)) /
                                                              3.0))))
WORDS(kinds, float f = __uint_as_float((unsigned)a);
      asm("{ .reg .pred n, s, k; testp.normal.f32 n, %1; testp.subnormal.f32 s, %1; testp.number.f32 k, %1; "
          "selp.u32 %0, 1, 0, n; "
          "@s add.u32 %0, %0, 2; @k add.u32 %0, %0, 4; }" : "=r"(r) : "f"(f)),
      [&] {
        float f;
        const unsigned bits = ulow(a);
        memcpy(&f, &bits, sizeof f);
        return std::isnormal(f) * 1u + (std::fpclassify(f) == FP_SUBNORMAL) * 2u + !std::isnan(f) * 4u;
      }())
WORDS(chosen, float f = (float)(int)(unsigned)b;
      asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned)a), "r"((unsigned)b), "f"(f)),
      low(b) >= 0 ? ulow(a) : ulow(b))

template <class Instruction>
__global__ void run(const Unsigned* values, int count, Unsigned* out) {
  const int i = threadIdx.x, j = blockIdx.x;
  out[j * count + i] = Instruction::onDevice(values[i], values[j]);
}

static int failures = 0;

template <class Instruction>
static void check(const char* name, const std::vector<Unsigned>& values) {
  const int count = static_cast<int>(values.size());
  Unsigned *in, *out;
  cudaMallocManaged(&in, values.size() * sizeof(Unsigned));
  cudaMallocManaged(&out, values.size() * values.size() * sizeof(Unsigned));
  std::copy(values.begin(), values.end(), in);
  run<Instruction><<<count, count>>>(in, count, out);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      const Unsigned want = Instruction::onHost(values[i], values[j]), have = out[j * count + i];
      if (have == want) continue;
      if (++failures < 20) printf("%s(%llx, %llx): %llx, not %llx\n", name, values[i], values[j], have, want);
    }
  }
  cudaFree(in);
  cudaFree(out);
}
#define CHECK(NAME) check<NAME>(#NAME, values)

// What shared memory is told in which order, and what is copied in groups; `spaces` counts addresses by their
// spaces.
__global__ void memory(const int* in, int* out, int* spaces) {
  __shared__ __align__(16) int copied[2][128];
  __shared__ int flag;
  const int me = threadIdx.x;
  if (me == 0) flag = 0;
  __syncthreads();
  const unsigned to = (unsigned)__cvta_generic_to_shared(&copied[0][me * 4]);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in + me * 4) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to + 512), "l"(in + 128 + me * 4),
               "r"(me % 2 * 8)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  const unsigned place = (unsigned)__cvta_generic_to_shared(&flag);
  int seen = 0;
  if (me == 31) asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(place), "r"(77) : "memory");
  __syncwarp();
  asm volatile("ld.acquire.cta.shared::cta.b32 %0, [%1];" : "=r"(seen) : "r"(place) : "memory");
  for (int i = 0; i < 4; ++i) {
    out[me * 4 + i] = copied[0][127 - me * 4 - i];
    out[128 + me * 4 + i] = copied[1][me * 4 + i] + seen;
  }
  int held;
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(held) : "l"(in + me) : "memory");
  asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(spaces + 2), "r"(held) : "memory");
  int isShared, isGlobal;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }"
      : "=r"(isShared)
      : "l"(&copied[1][me]));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(isGlobal) : "l"(out + me));
  unsigned all;
  asm volatile("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(all));
  atomicAdd(spaces, isShared + (all == ~0u));
  atomicAdd(spaces + 1, isGlobal);
}

static void checkMemory() {
  int *in, *out, *spaces;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&spaces, 3 * sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = i * i % 1009 + 1;
  spaces[0] = spaces[1] = spaces[2] = 0;
  memory<<<1, 32>>>(in, out, spaces);
  bool good = cudaDeviceSynchronize() == cudaSuccess && spaces[0] == 64 && spaces[1] == 32;
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += in[i];
  good = good && spaces[2] == sum;
  for (int i = 0; good && i < 128; ++i) {
    good = out[i] == in[127 - i] && out[128 + i] == (i / 4 % 2 == 1 && i % 4 < 2 ? in[128 + i] : 0) + 77;
  }
  if (!good) ++failures, printf("memory is wrong: %d %d %d\n", spaces[0], spaces[1], spaces[2]);
}

int main() {
  std::vector<Unsigned> values = {0,
                                  1,
                                  2,
                                  5,
                                  6,
                                  31,
                                  32,
                                  0x7f,
                                  0x80,
                                  0xff,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x12345678,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  ~0ull,
                                  0xfedcba9876543210,
                                  0x7f800000,
                                  0x7fc00001,
                                  0x00000fff,
                                  0x3f8000003f800000};
  CHECK(leastShort), CHECK(greatestShort), CHECK(highShort), CHECK(wideShort), CHECK(saturatedSum);
  CHECK(saturatedDifference), CHECK(saturatedHigh), CHECK(high24), CHECK(high24Unsigned), CHECK(distance);
  CHECK(distanceSigned), CHECK(dot), CHECK(setBytes), CHECK(setHalves), CHECK(average), CHECK(distanceAdded);
  CHECK(leastOfThree), CHECK(shifted), CHECK(logic), CHECK(both), CHECK(flag), CHECK(narrowed),
      CHECK(narrowedSigned);
  CHECK(notNegative), CHECK(quarters), CHECK(floored), CHECK(kinds), CHECK(chosen);
  checkMemory();
  puts(failures == 0 ? "passed" : "failed");
  return failures == 0 ? 0 : 1;
}
