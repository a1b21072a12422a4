// Integer intrinsics against plain definitions.
#include "crt/integer_intrinsics.h"

#include <gtest/gtest.h>

#include <bitset>
#include <climits>
#include <cstdint>
#include <random>

#include "crt/min_max.h"

namespace {

std::vector<uint32_t> words() {
  std::vector<uint32_t> result{0,      1,      2,        3,         0x7f,       0x80,       0xff,
                               0x7fff, 0x8000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0xffffffff};
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) result.push_back(random());
  return result;
}

TEST(IntegerIntrinsics, HighProducts) {
  for (uint32_t a : words()) {
    for (uint32_t b : words()) {
      ASSERT_EQ(__umulhi(a, b), uint32_t(uint64_t(a) * b / 4294967296u));
      ASSERT_EQ(__mulhi(int(a), int(b)), int((int64_t(int(a)) * int(b)) >> 32));
      const uint64_t wideA = uint64_t(a) << 32 | b, wideB = uint64_t(b) << 32 | ~a;
      // Schoolbook multiplication of 32-bit halves.
      const uint64_t low = (wideA & 0xffffffff) * (wideB & 0xffffffff);
      const uint64_t middle1 = (wideA >> 32) * (wideB & 0xffffffff) + (low >> 32);
      const uint64_t middle2 = (wideA & 0xffffffff) * (wideB >> 32) + (middle1 & 0xffffffff);
      const uint64_t high = (wideA >> 32) * (wideB >> 32) + (middle1 >> 32) + (middle2 >> 32);
      ASSERT_EQ(__umul64hi(wideA, wideB), high);
      const uint64_t correction = (int64_t(wideA) < 0 ? wideB : 0) + (int64_t(wideB) < 0 ? wideA : 0);
      ASSERT_EQ(uint64_t(__mul64hi((long long)wideA, (long long)wideB)), high - correction);
    }
  }
  EXPECT_EQ(__mul24(-1, 5), -5);
  EXPECT_EQ(__mul24(0x00800000, 1), -0x800000);  // bit 23 is the sign
  EXPECT_EQ(__umul24(0xff000003u, 0xab000004u), 12u);
}

TEST(IntegerIntrinsics, BitsAreCountedAndFound) {
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clzll(0), 64);
  EXPECT_EQ(__clz(-1), 0);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(INT_MIN), 32);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  for (uint32_t x : words()) {
    ASSERT_EQ(__popc(x), int(std::bitset<32>(x).count()));
    ASSERT_EQ(__popcll(uint64_t(x) << 32 | x), 2 * int(std::bitset<32>(x).count()));
    uint32_t reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1u) << (31 - i);
    ASSERT_EQ(__brev(x), reversed);
    ASSERT_EQ(__brevll(x), uint64_t(reversed) << 32);
  }
}

// Examples of the CUDA Math API's text on __fns.
TEST(IntegerIntrinsics, NthSetBit) {
  EXPECT_EQ(__fns(0b10110u, 0, 1), 1u);
  EXPECT_EQ(__fns(0b10110u, 0, 3), 4u);
  EXPECT_EQ(__fns(0b10110u, 0, 4), 0xffffffffu);
  EXPECT_EQ(__fns(0b10110u, 2, 1), 2u);
  EXPECT_EQ(__fns(0b10110u, 3, -1), 2u);
  EXPECT_EQ(__fns(0b10110u, 4, -3), 1u);
  EXPECT_EQ(__fns(0b10110u, 3, 0), 0xffffffffu);
  EXPECT_EQ(__fns(0b10110u, 4, 0), 4u);
}

TEST(IntegerIntrinsics, BytesAndFunnelShifts) {
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7531), 0x77553311u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x0000), 0u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0xffff),
            0x77777777u);  // only three bits of a selector count
  for (uint32_t shift : {0u, 1u, 7u, 31u, 32u, 33u, 63u, 64u, 1000u}) {
    const uint64_t pair = 0x89abcdef01234567u;
    const uint32_t lo = uint32_t(pair), hi = uint32_t(pair >> 32);
    const uint32_t wrapped = shift % 32, clamped = shift < 32 ? shift : 32;
    ASSERT_EQ(__funnelshift_l(lo, hi, shift), uint32_t(pair << wrapped >> 32));
    ASSERT_EQ(__funnelshift_r(lo, hi, shift), uint32_t(pair >> wrapped));
    ASSERT_EQ(__funnelshift_lc(lo, hi, shift), uint32_t(pair << clamped >> 32));
    ASSERT_EQ(__funnelshift_rc(lo, hi, shift), uint32_t(pair >> clamped));
  }
}

TEST(IntegerIntrinsics, AveragesDoNotOverflow) {
  EXPECT_EQ(__hadd(INT_MAX, INT_MAX), INT_MAX);
  EXPECT_EQ(__hadd(INT_MIN, INT_MAX), -1);
  EXPECT_EQ(__rhadd(INT_MIN, INT_MAX), 0);
  EXPECT_EQ(__uhadd(~0u, ~0u - 1), ~0u - 1);
  EXPECT_EQ(__urhadd(~0u, ~0u - 1), ~0u);
  EXPECT_EQ(__sad(INT_MIN, INT_MAX, 1), 0u);  // 2^32 - 1 + 1 wraps
  EXPECT_EQ(__usad(3, 10, 100), 107u);
}

TEST(IntegerIntrinsics, DotProducts) {
  EXPECT_EQ(__dp4a(int(0x80ff7f01u), int(0x80ff7f01u), 10), 16384 + 1 + 16129 + 1 + 10);
  EXPECT_EQ(__dp4a(0x80ff7f01u, 0x01010101u, 10u), 128u + 255 + 127 + 1 + 10);
  EXPECT_EQ(__dp2a_lo(int(0x8000ffffu), int(0x0302ff7fu), 0), -127 + 32768);
  EXPECT_EQ(__dp2a_hi(0x00020003u, 0x04050607u, 1u), 3u * 5 + 2 * 4 + 1);
}

TEST(MinMax, MixedTypesFollowCuda) {
  static_assert(std::is_same<decltype(min(1, 2u)), unsigned int>::value);
  static_assert(std::is_same<decltype(max(1l, 2ul)), unsigned long>::value);
  static_assert(std::is_same<decltype(max(1.0f, 2.0)), double>::value);
  EXPECT_EQ(min(-1, 2u), 2u);  // -1 is the greatest unsigned number
  EXPECT_EQ(max(-1ll, 2ull), ~0ull);
  EXPECT_EQ(min(-5, 3), -5);
  EXPECT_EQ(max(__builtin_nanf(""), 3.0f), 3.0f);
  EXPECT_EQ(min(4.0, __builtin_nan("")), 4.0);
}

}  // namespace
