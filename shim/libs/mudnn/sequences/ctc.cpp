// By Graves and others, "Connectionist Temporal Classification" (2006), in logarithms.
#include "libs/mudnn/sequences/ctc.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace musashim::mudnn {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double logSum(double a, double b) {
  if (a == kNone) return b;
  if (b == kNone) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace

double ctcCost(const CtcSequence& sequence, double* occupancy, double* alpha) {
  const auto labels = static_cast<int64_t>(sequence.labels.size()), states = 2 * labels + 1,
             time = sequence.time;
  const auto classOf = [&](int64_t state) {
    return state % 2 ? sequence.labels[static_cast<size_t>(state / 2)] : sequence.blank;
  };
  // A label may follow the one before at once if they differ.
  const auto skips = [&](int64_t state) {
    return state % 2 && state >= 2 && classOf(state) != classOf(state - 2);
  };
  const auto logOf = [&](int64_t t, int64_t state) {
    return sequence.logs[t * sequence.classes + classOf(state)];
  };
  if (time == 0) return labels == 0 ? 0 : std::numeric_limits<double>::infinity();
  const auto at = [states](int64_t t, int64_t state) { return static_cast<size_t>(t * states + state); };
  std::vector<double> forward(static_cast<size_t>(time * states), kNone);
  forward[0] = logOf(0, 0);
  if (labels > 0) forward[1] = logOf(0, 1);
  for (int64_t t = 1; t < time; ++t)
    for (int64_t s = 0; s < states; ++s) {
      double sum = forward[at(t - 1, s)];
      if (s >= 1) sum = logSum(sum, forward[at(t - 1, s - 1)]);
      if (skips(s)) sum = logSum(sum, forward[at(t - 1, s - 2)]);
      if (sum != kNone) forward[at(t, s)] = sum + logOf(t, s);
    }
  if (alpha) std::copy(forward.begin(), forward.end(), alpha);
  const double whole =
      logSum(forward[at(time - 1, states - 1)], labels > 0 ? forward[at(time - 1, states - 2)] : kNone);
  if (whole == kNone) return std::numeric_limits<double>::infinity();
  if (!occupancy) return -whole;

  std::fill_n(occupancy, time * sequence.classes, 0.0);
  std::vector<double> backward(static_cast<size_t>(states), kNone), next;
  for (int64_t t = time; t-- > 0;) {
    next = backward;
    for (int64_t s = 0; s < states; ++s) {
      // Without the probability of this step itself, which is in `forward`.
      double sum = t == time - 1 ? (s >= states - 2 ? 0 : kNone) : kNone;
      const auto follow = [&](int64_t to) {
        if (t < time - 1 && next[static_cast<size_t>(to)] != kNone)
          sum = logSum(sum, next[static_cast<size_t>(to)] + logOf(t + 1, to));
      };
      follow(s);
      if (s + 1 < states) follow(s + 1);
      if (s + 2 < states && skips(s + 2)) follow(s + 2);
      backward[static_cast<size_t>(s)] = sum;
      if (sum != kNone && forward[at(t, s)] != kNone)
        occupancy[t * sequence.classes + classOf(s)] += std::exp(forward[at(t, s)] + sum - whole);
    }
  }
  return -whole;
}

}  // namespace musashim::mudnn
