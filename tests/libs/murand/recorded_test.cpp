// What cuRAND's library gives for the same calls: bits of integers, uniform and Poisson numbers. Normal
// numbers differ between its host and device side in their last places, and so may ours.
#include <gtest/gtest.h>

#include <cmath>

#include "scenarios.h"

namespace musashim::rand {
namespace {

struct Recorded {
  const char* call;
  Outcome outcome;
};
constexpr Recorded kRecorded[] = {
#include "recorded.inc"
};

TEST(RandRecorded, EveryCallGivesWhatWasRecorded) {
  const Library library(RTLD_DEFAULT, "murand");
  std::size_t at = 0;
  for (const Scenario& scenario : kScenarios) {
    for (const auto& [call, outcome] : play(library, scenario)) {
      ASSERT_LT(at, std::size(kRecorded));
      const Recorded& recorded = kRecorded[at++];
      SCOPED_TRACE("generator " + std::to_string(scenario.type) + ", seed " + std::to_string(scenario.seed) +
                   ", call " + call + " of " + scenario.calls);
      ASSERT_EQ(call, recorded.call);
      EXPECT_EQ(outcome.status, recorded.outcome.status);
      if (std::string("nmlk").find(call[0]) == std::string::npos)
        EXPECT_EQ(outcome.hash, recorded.outcome.hash);
      else
        EXPECT_NEAR(outcome.first, recorded.outcome.first, 1e-5 * std::fabs(recorded.outcome.first));
      EXPECT_NEAR(outcome.last, recorded.outcome.last, 1e-5 * std::fabs(recorded.outcome.last));
    }
  }
  EXPECT_EQ(at, std::size(kRecorded));
}

}  // namespace
}  // namespace musashim::rand
