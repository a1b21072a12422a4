#include "cpu/devrt/units/polling_rounds.h"

#include <algorithm>

namespace musashim::devrt {

namespace {

constexpr uint32_t kFirstRounds = 256, kFewestRounds = 4;
// Lanes that poll may be at convergence points themselves, in the loop in which they do, and go first there.
constexpr uint32_t kMostReleases = 64;

}  // namespace

void PollingRounds::begin(size_t warps) {
  warps_.assign(warps, {});
  mostRounds_ = kFirstRounds;
}

PollingRounds::Next PollingRounds::next(const PollingWarp& warp) {
  Warp& state = warps_[warp.number];
  if (warp.polling == 0) {
    if (warp.ahead == warp.converging) state = {};
    return Next::kBehindGoOn;
  }
  const uint32_t missing = warp.living - warp.ahead;
  if (missing < state.missing) {
    state.missing = missing;
    state.rounds = 0;
  }
  if (state.rounds++ < mostRounds_) return Next::kPollAgain;
  mostRounds_ = std::max(mostRounds_ / 2, kFewestRounds);
  state.rounds = 0;
  state.missing = UINT32_MAX;
  if (++state.releases < kMostReleases) return Next::kBehindGoOn;
  state.releases = 0;
  return Next::kAllGoOn;
}

}  // namespace musashim::devrt
