#pragma once

#include "problem.h"

// A row of the host's variants: its products summed in order, as the kernel's thread does.
static inline float rowInOrder(const int* starts, const int* columns, const float* values, const float* x,
                               int row) {
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  return sum;
}
