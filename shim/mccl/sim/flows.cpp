#include "mccl/sim/flows.h"

#include <algorithm>
#include <limits>

namespace musashim::mccl::sim {

Flow UseCounter::take() {
  Flow flow;
  flow.uses.reserve(touched_.size());
  for (const uint32_t link : touched_) {
    flow.uses.push_back({link, load_[link]});
    load_[link] = 0;
  }
  touched_.clear();
  return flow;
}

// All flows grow alike until a link is full; those on it stay as they are, the others go on.
std::vector<double> maxMinRates(std::span<const Flow> flows, std::span<const double> bandwidth) {
  std::vector<double> rates(flows.size()), left(bandwidth.begin(), bandwidth.end()), wanted(bandwidth.size());
  std::vector<bool> isFixed(flows.size());
  for (size_t i = 0; i < flows.size(); ++i) {
    isFixed[i] = std::ranges::any_of(flows[i].uses, [&](Share use) { return bandwidth[use.link] <= 0; });
  }
  for (;;) {
    std::ranges::fill(wanted, 0);
    for (size_t i = 0; i < flows.size(); ++i) {
      if (isFixed[i]) continue;
      for (const Share use : flows[i].uses) wanted[use.link] += use.part;
    }
    double step = std::numeric_limits<double>::infinity();
    for (size_t link = 0; link < wanted.size(); ++link) {
      if (wanted[link] > 0) step = std::min(step, left[link] / wanted[link]);
    }
    if (step == std::numeric_limits<double>::infinity()) return rates;
    for (size_t link = 0; link < wanted.size(); ++link) left[link] -= wanted[link] * step;
    bool anyFixed = false;
    for (size_t i = 0; i < flows.size(); ++i) {
      if (isFixed[i]) continue;
      rates[i] += step;
      isFixed[i] = std::ranges::any_of(
          flows[i].uses, [&](Share use) { return left[use.link] <= 1e-9 * bandwidth[use.link]; });
      anyFixed = anyFixed || isFixed[i];
    }
    if (!anyFixed) return rates;
  }
}

}  // namespace musashim::mccl::sim
