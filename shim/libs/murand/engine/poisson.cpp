#include "poisson.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace musashim::rand {

namespace {

// Those that are not 0 as doubles, and the number that the first is of.
std::pair<std::uint32_t, std::vector<double>> probabilities(double lambda) {
  std::uint32_t first = 0;
  std::vector<double> probability;
  for (std::uint32_t k = 0;; ++k) {
    const double p = std::exp(-lambda + k * std::log(lambda) - std::lgamma(k + 1.0));
    if (p > 0)
      probability.push_back(p);
    else if (k < lambda)
      first = k + 1;
    else
      return {first, probability};
  }
}

}  // namespace

// The bars are all numbers whose probability is not 0 as a double. Bars that hold less than an equal share
// are filled up by one that holds more: short ones in rounds from the smallest number up, givers from the
// largest down. One that has given too much is short itself.
Histogram::Histogram(double lambda) {
  auto [first, probability] = probabilities(lambda);
  shift = first;
  const std::size_t bars = probability.size();
  const double share = 1.0 / double(bars);
  for (std::size_t i = 0; i < bars; ++i) {
    border.push_back(double(i + 1) * share);
    other.push_back(std::uint32_t(i));
  }
  std::size_t giver = bars;
  auto nextGiver = [&] {
    while (giver > 0 && probability[giver - 1] <= share) --giver;
  };
  nextGiver();
  for (bool filled = true; filled;) {
    filled = false;
    for (std::size_t bar = 0; bar < bars && giver > 0; ++bar) {
      if (probability[bar] >= share) continue;
      border[bar] = double(bar) * share + probability[bar];
      other[bar] = std::uint32_t(giver - 1);
      probability[giver - 1] -= share - probability[bar];
      probability[bar] = share;
      filled = true;
      nextGiver();
    }
  }
}

Cumulated::Cumulated(double lambda) {
  auto [first, probability] = probabilities(lambda);
  shift = first;
  std::partial_sum(probability.begin(), probability.end(), std::back_inserter(sums));
}

std::uint32_t Cumulated::of(double unit) const {
  const auto at = std::lower_bound(sums.begin(), sums.end() - 1, unit);
  return shift + std::uint32_t(at - sums.begin());
}

}  // namespace musashim::rand
