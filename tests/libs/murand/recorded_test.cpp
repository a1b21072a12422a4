// What cuRAND's host generators give for the same calls, bit for bit; but normal doubles by the inverse of
// their distribution, which differ in their last places.
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
      const bool boxMuller = scenario.type == 101 || scenario.type == 121 || scenario.type == 161;
      if (boxMuller || (call[0] != 'm' && call[0] != 'k'))
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
