// Rates of flows that share links.
#include "mccl/sim/flows.h"

#include <gtest/gtest.h>

#include <random>

namespace musashim::mccl::sim {
namespace {

TEST(Flows, ShareALinkAlike) {
  const std::vector<Flow> flows = {{{{0, 1}}}, {{{0, 1}}}, {{{0, 1}, {1, 1}}}};
  const std::vector<double> rates = maxMinRates(flows, std::vector<double>{30, 4});
  EXPECT_NEAR(rates[2], 4, 1e-9);   // another link holds it back
  EXPECT_NEAR(rates[0], 13, 1e-9);  // so there is more for the others
  EXPECT_NEAR(rates[1], 13, 1e-9);
}

TEST(Flows, CountAsManyTimesAsTheyCross) {
  const std::vector<Flow> flows = {{{{0, 3}}}, {{{0, .5}}}};
  const std::vector<double> rates = maxMinRates(flows, std::vector<double>{7});
  EXPECT_NEAR(rates[0], 2, 1e-9);
  EXPECT_NEAR(rates[1], 2, 1e-9);
}

TEST(Flows, NothingGoesOverDeadLinks) {
  const std::vector<Flow> flows = {{{{0, 1}, {1, 1}}}, {{{1, 1}}}};
  const std::vector<double> rates = maxMinRates(flows, std::vector<double>{0, 10});
  EXPECT_EQ(rates[0], 0);
  EXPECT_NEAR(rates[1], 10, 1e-9);
}

TEST(Flows, NoLinkIsOverloadedAndEachFlowHasAFullOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> bandwidth(12);
    for (double& one : bandwidth) one = 1 + random() % 40;
    std::vector<Flow> flows(9);
    for (Flow& flow : flows) {
      UseCounter counter(bandwidth.size());
      for (int i = 0; i < 4; ++i) counter.add(random() % 12, .25 * static_cast<double>(1 + random() % 8));
      flow = counter.take();
    }
    const std::vector<double> rates = maxMinRates(flows, bandwidth);
    std::vector<double> load(bandwidth.size());
    for (size_t i = 0; i < flows.size(); ++i) {
      for (const Share use : flows[i].uses) load[use.link] += use.part * rates[i];
    }
    for (size_t link = 0; link < load.size(); ++link) EXPECT_LE(load[link], bandwidth[link] * (1 + 1e-6));
    for (size_t i = 0; i < flows.size(); ++i) {
      bool isHeld = false;
      for (const Share use : flows[i].uses) {
        bool isLargest = true;
        for (size_t other = 0; other < flows.size(); ++other) {
          for (const Share theirs : flows[other].uses)
            isLargest = isLargest && (theirs.link != use.link || rates[other] <= rates[i] * (1 + 1e-6));
        }
        isHeld = isHeld || (isLargest && load[use.link] > bandwidth[use.link] * (1 - 1e-6));
      }
      EXPECT_TRUE(isHeld) << "flow " << i << " could have more";
    }
  }
}

}  // namespace
}  // namespace musashim::mccl::sim
