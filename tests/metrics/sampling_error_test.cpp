#include "cpu/devrt/metrics/sampling_error.h"

#include <gtest/gtest.h>

namespace musashim::devrt::metrics {
namespace {

BlockTotals someBlock(uint64_t requests, uint64_t sectors) {
  BlockTotals block;
  block.addStep(10, 320);
  block.addTraffic(false, {requests, 0, sectors, 0, 0});
  return block;
}

TEST(SamplingError, IsNothingWhereBlocksAreAlike) {
  SamplingError error;
  for (int i = 0; i < 5; ++i) error.add(someBlock(8, 32));
  EXPECT_EQ(error.ofWork(1000), 0);
  EXPECT_EQ(error.ofActiveLanes(1000), 0);
  EXPECT_EQ(error.ofSectors(1000), 0);
  EXPECT_EQ(error.ofTurns(1000), std::nullopt) << "there is no shared memory";
}

TEST(SamplingError, IsNotKnownOfOneBlock) {
  SamplingError error;
  EXPECT_EQ(error.ofWork(10), std::nullopt);
  error.add(someBlock(8, 32));
  EXPECT_EQ(error.ofWork(10), std::nullopt);
  EXPECT_EQ(error.ofSectors(10), std::nullopt);
}

TEST(SamplingError, IsTwiceTheStandardErrorOfARatio) {
  // Sectors 4 and 12 for 1 request each: the ratio is 8, residuals are -4 and 4, so its variance is 32 / (2 *
  // 1).
  SamplingError error;
  error.add(someBlock(1, 4));
  error.add(someBlock(1, 12));
  EXPECT_NEAR(*error.ofSectors(1000000), 2 * 4.0 / 8, 1e-5);
  EXPECT_NEAR(*error.ofSectors(4), 2 * 4.0 / 8 * 0.70710678, 1e-5) << "half of them were counted";
  EXPECT_EQ(error.ofSectors(2), 0) << "all were counted";
}

TEST(SamplingError, OfRatiosIsSmallWhereTheyAreAlike) {
  SamplingError error;
  for (const uint64_t work : {1, 2, 3, 4}) error.add(someBlock(work, 4 * work));
  EXPECT_NEAR(*error.ofSectors(1000), 0, 1e-6);
}

}  // namespace
}  // namespace musashim::devrt::metrics
