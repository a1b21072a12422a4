#include "poisson.h"

namespace musashim::rand {

// The bars are all numbers whose probability is not 0 as a double. Bars that hold less than an equal share
// are filled up by one that holds more: short ones in rounds from the smallest number up, givers from the
// largest down. One that has given too much is short itself.
Histogram::Histogram(double lambda) {
  std::vector<double> probability;
  for (std::uint32_t k = 0;; ++k) {
    const double p = std::exp(-lambda + k * std::log(lambda) - std::lgamma(k + 1.0));
    if (p > 0)
      probability.push_back(p);
    else if (k < lambda)
      shift = k + 1;
    else
      break;
  }
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

}  // namespace musashim::rand
