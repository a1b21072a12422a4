// Connectionist temporal classification.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// One sequence: logarithms of probabilities by time and class, and its labels.
struct CtcSequence {
  const double* logs = nullptr;
  int64_t time = 0, classes = 0;
  std::vector<int64_t> labels;
  int64_t blank = 0;
};
// The cost: minus the logarithm of the labels' probability, infinite where no path has that many steps.
// occupancy, if wanted, is how often a path is expected in each class at each time; it is not written without
// a path. alpha, if wanted: logarithms of the probabilities of all paths up to each time and state, of which
// there are twice the labels and one.
double ctcCost(const CtcSequence& sequence, double* occupancy, double* alpha = nullptr);

// A batch of them. logs: by time, sequence and class; targets: by sequence and place, or behind each other;
// cost: by sequence. What may be left out has no memory.
struct CtcBatch {
  Array logs, targets, inputLengths, targetLengths;
  int64_t blank = 0, longest = 0;  // 0: no limit
  bool zeroInfinity = false;
};
// alpha: by sequence, time and state.
Work ctcForward(const CtcBatch& batch, const Array& cost, const Array& alpha);
// By softmax's input.
Work ctcBackward(const CtcBatch& batch, const Array& gradIn, const Array& gradOut);

}  // namespace musashim::mudnn
