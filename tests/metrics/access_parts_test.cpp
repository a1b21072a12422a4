#include "cpu/devrt/metrics/access_parts.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace musashim::devrt::metrics {
namespace {

std::vector<uint64_t> addresses(int lanes, const std::function<uint64_t(uint64_t)>& of) {
  std::vector<uint64_t> all;
  for (int lane = 0; lane < lanes; ++lane) all.push_back(0x10000 + of(lane));
  return all;
}

TEST(Sectors, OfNeighbouringFloats) {
  const Parts parts = sectorsOf(addresses(32, [](uint64_t lane) { return 4 * lane; }), 4);
  EXPECT_EQ(parts.count, 4);
  EXPECT_EQ(parts.least, 4);
}

TEST(Sectors, OfFloatsThatDoNotBeginASector) {
  EXPECT_EQ(sectorsOf(addresses(32, [](uint64_t lane) { return 4 * lane + 4; }), 4).count, 5);
}

TEST(Sectors, OfEachLaneItsOwn) {
  const Parts parts = sectorsOf(addresses(32, [](uint64_t lane) { return 128 * lane; }), 4);
  EXPECT_EQ(parts.count, 32);
  EXPECT_EQ(parts.least, 4);
}

TEST(Sectors, OfOneAddressForAll) {
  const Parts parts = sectorsOf(addresses(32, [](uint64_t) { return 0; }), 4);
  EXPECT_EQ(parts.count, 1);
  EXPECT_EQ(parts.least, 1);
}

TEST(Sectors, OfLanesFarApart) {
  EXPECT_EQ(sectorsOf(addresses(32, [](uint64_t lane) { return (lane / 2) << 40 | lane % 2 * 4; }), 4).count,
            16);
  EXPECT_EQ(sectorsOf(addresses(32, [](uint64_t lane) { return lane << 40 | 30; }), 4).count, 64);
  EXPECT_EQ(sectorsOf(addresses(32, [](uint64_t lane) { return lane % 4 << 18; }), 4).count, 4);
}

TEST(Sectors, OfAddressesInAnyOrder) {
  EXPECT_EQ(sectorsOf(addresses(32, [](uint64_t lane) { return 4 * (lane * 7 % 32); }), 4).count, 4);
}

TEST(Sectors, OfAnAccessAcrossTwo) {
  EXPECT_EQ(sectorsOf(addresses(1, [](uint64_t) { return 28; }), 8).count, 2);
}

TEST(Wavefronts, OfNeighboursAndOfOneWordForAll) {
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t lane) { return 4 * lane; }), 4).count, 1);
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t) { return 4; }), 4).count, 1);
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t lane) { return lane; }), 1).count, 1);
}

TEST(Wavefronts, OfStrides) {
  for (const uint64_t stride : {2, 4, 8, 16, 32})
    EXPECT_EQ(wavefrontsOf(addresses(32, [&](uint64_t lane) { return 4 * stride * lane; }), 4).count, stride);
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t lane) { return 4 * 33 * lane; }), 4).count, 1);
}

TEST(Wavefronts, OfWideAccesses) {
  const Parts pairs = wavefrontsOf(addresses(32, [](uint64_t lane) { return 8 * lane; }), 8);
  EXPECT_EQ(pairs.count, 2);
  EXPECT_EQ(pairs.least, 2);
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t lane) { return 16 * lane; }), 16).count, 4);
  EXPECT_EQ(wavefrontsOf(addresses(32, [](uint64_t) { return 16; }), 16).count, 2);
}

TEST(SerialLanes, AreThoseBehindTheFirst) {
  EXPECT_EQ(serialLanesOf(addresses(32, [](uint64_t) { return 0; })), 31);
  EXPECT_EQ(serialLanesOf(addresses(32, [](uint64_t lane) { return 4 * lane; })), 0);
  EXPECT_EQ(serialLanesOf(addresses(32, [](uint64_t lane) { return 4 * (lane / 2); })), 16);
}

}  // namespace
}  // namespace musashim::devrt::metrics
