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
// a path.
double ctcCost(const CtcSequence& sequence, double* occupancy);

}  // namespace musashim::mudnn
