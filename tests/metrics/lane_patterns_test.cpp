#include "cpu/devrt/metrics/lane_patterns.h"

#include <gtest/gtest.h>

#include <bit>

namespace musashim::devrt::metrics {
namespace {

using Lanes = std::array<uint64_t, kLanesTogether>;

Lanes strided(uint64_t first, uint64_t stride) {
  Lanes lanes;
  for (size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = first + lane * stride;
  return lanes;
}

// Remembered or not, the cost is what it is from scratch.
void expectSame(LanePattern& pattern, const Lanes& lanes, bool shared) {
  const uint32_t present = PlainLanes::present(lanes.data());
  LanePattern fresh;
  const Parts want = fresh.partsOf<PlainLanes>(lanes.data(), present, 4, shared, true);
  const Parts got = pattern.partsOf<PlainLanes>(lanes.data(), present, 4, shared, true);
  EXPECT_EQ(got.count, want.count);
  EXPECT_EQ(got.least, want.least);
  EXPECT_EQ(got.serial, want.serial);
}

TEST(LaneLoops, TellWhoIsThere) {
  Lanes lanes = strided(4096, 4);
  EXPECT_EQ(PlainLanes::present(lanes.data()), ~0u);
  lanes[0] = lanes[31] = 0;
  EXPECT_EQ(PlainLanes::present(lanes.data()), 0x7ffffffeu);
  EXPECT_EQ(PlainLanes::present(Lanes{}.data()), 0u);
}

TEST(LaneLoops, SumRounds) {
  Lanes rounds{};
  rounds[3] = 7;
  rounds[31] = 5;
  const LaneRounds sums = PlainLanes::rounds(rounds.data());
  EXPECT_EQ(sums.sum, 12u);
  EXPECT_EQ(sums.most, 7u);
}

[[gnu::target("avx512f")]] void expectAlike(const Lanes& lanes, const Lanes& distances) {
  EXPECT_EQ(WideLanes::present(lanes.data()), PlainLanes::present(lanes.data()));
  EXPECT_EQ(WideLanes::rounds(lanes.data()).sum, PlainLanes::rounds(lanes.data()).sum);
  EXPECT_EQ(WideLanes::rounds(lanes.data()).most, PlainLanes::rounds(lanes.data()).most);
  for (const uint32_t present : {~0u, 0xffffu, 1u << 31})
    EXPECT_EQ(WideLanes::differ(lanes.data(), lanes[0], distances.data(), present),
              PlainLanes::differ(lanes.data(), lanes[0], distances.data(), present));
  Lanes cleared = lanes;
  WideLanes::clear(cleared.data());
  EXPECT_EQ(cleared, Lanes{});
}

TEST(LaneLoops, OfAvx512AreLikePlainOnes) {
  if (!hasWideLanes()) GTEST_SKIP() << "no AVX-512";
  const Lanes distances = strided(0, 4);
  for (size_t changed = 0; changed < kLanesTogether; ++changed) {
    Lanes lanes = strided(4096, 4);
    expectAlike(lanes, distances);
    lanes[changed] = changed % 2 == 0 ? 0 : uint64_t{1} << 63;
    expectAlike(lanes, distances);
  }
  expectAlike(Lanes{}, distances);
}

TEST(LanePatterns, OfTheSameDistancesCostTheSame) {
  LanePattern pattern;
  for (const uint64_t first : {4096, 4096 + 128, 4096 + 256}) {
    const Lanes lanes = strided(first, 4);
    EXPECT_EQ(pattern.partsOf<PlainLanes>(lanes.data(), ~0u, 4, false, false).count, 4u);
  }
}

TEST(LanePatterns, TellApartWhatDiffers) {
  LanePattern pattern;
  Lanes lanes = strided(4096, 4);
  for (const bool shared : {false, true}) {
    for (const uint64_t first : {4096, 4100, 4096 + 31 * 4, 8192}) {
      for (const uint64_t stride : {0, 4, 8, 128}) expectSame(pattern, strided(first, stride), shared);
    }
    expectSame(pattern, lanes, shared);
    lanes[17] += 4;
    expectSame(pattern, lanes, shared);
    for (const size_t absent : {0, 5, 31}) {
      lanes[absent] = 0;
      expectSame(pattern, lanes, shared);
    }
  }
}

TEST(LanePatterns, StartOfASectorMatters) {
  LanePattern pattern;
  EXPECT_EQ(pattern.partsOf<PlainLanes>(strided(4096, 4).data(), ~0u, 4, false, false).count, 4u);
  EXPECT_EQ(pattern.partsOf<PlainLanes>(strided(4100, 4).data(), ~0u, 4, false, false).count, 5u);
}

}  // namespace
}  // namespace musashim::devrt::metrics
