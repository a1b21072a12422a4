#include "cpu/devrt/metrics/sampling_error.h"

#include <algorithm>
#include <cmath>

namespace musashim::devrt::metrics {

void SamplingError::add(const BlockTotals& block, uint64_t times) {
  const std::array<uint64_t, 6> values = {block.steps,    block.stepLanes,   block.requests[0],
                                          block.parts[0], block.requests[1], block.parts[1]};
  const auto weight = static_cast<double>(times);
  count_ += times;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    sum_[i] += weight * value;
    square_[i] += weight * value * value;
    if (i % 2 == 1) product_[i / 2] += weight * value * static_cast<double>(values[i - 1]);
  }
}

double SamplingError::left(uint64_t blocks) const {
  return blocks <= count_ ? 0 : 1 - static_cast<double>(count_) / static_cast<double>(blocks);
}

// The usual estimators of a mean and of a ratio of means (Cochran, Sampling Techniques, chapters 2 and 6).
std::optional<double> SamplingError::ofWork(uint64_t blocks) const {
  if (count_ < 2 || sum_[0] == 0) return std::nullopt;
  const auto n = static_cast<double>(count_);
  const double mean = sum_[0] / n;
  const double variance = std::max(0.0, square_[0] - n * mean * mean) / (n - 1);
  return 2 * std::sqrt(left(blocks) * variance / n) / mean;
}

std::optional<double> SamplingError::ofRatio(size_t each, size_t counted, uint64_t blocks) const {
  if (count_ < 2 || sum_[each] == 0 || sum_[counted] == 0) return std::nullopt;
  const auto n = static_cast<double>(count_);
  const double ratio = sum_[counted] / sum_[each], mean = sum_[each] / n;
  const double apart = square_[counted] - 2 * ratio * product_[counted / 2] + ratio * ratio * square_[each];
  return 2 * std::sqrt(left(blocks) * std::max(0.0, apart) / (n * (n - 1))) / (mean * ratio);
}

}  // namespace musashim::devrt::metrics
