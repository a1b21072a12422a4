// Losses.
#pragma once

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

enum class LossReduction : uint8_t { kNone, kMean, kSum };

struct ClassLoss {
  LossReduction reduction = LossReduction::kMean;
  int64_t ignored = -100;
  bool ofLogits = false;  // the logarithm of softmax is taken first
  double smoothing = 0;
};
// total: the sum of the targets' weights; it and weight may be without memory.
Work classLoss(const ClassLoss& loss, const Array& out, const Array& total, const Array& in,
               const Array& target, const Array& weight);
// in: without memory where it is not of logits. total: without memory where it is to be summed anew.
Work classLossBackward(const ClassLoss& loss, const Array& gradIn, const Array& gradOut, const Array& in,
                       const Array& target, const Array& weight, const Array& total);

Work divergence(LossReduction reduction, bool logarithms, const Array& out, const Array& in,
                const Array& target);
Work divergenceBackward(LossReduction reduction, bool logarithms, const Array& gradIn, const Array& gradOut,
                        const Array& in, const Array& target);

}  // namespace musashim::mudnn
