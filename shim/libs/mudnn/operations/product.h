// Products of matrices by any face of the library.
#pragma once

#include "libs/mudnn/core/array.h"
#include "libs/mudnn/operations/convolution.h"

namespace musashim::mudnn {

// out = activation(alpha * op(a) op(b) + beta * c + gamma * bias); what is missing has no memory.
struct Product {
  Array out, a, b, c, bias;
  bool turnsA = false, turnsB = false;
  double alpha = 1, beta = 0, gamma = 1;
  Activation activation = Activation::kIdentity;
  Array scaleA, scaleB, scaleC, scaleOut, amax;
};
Work product(const Product& product);

// a times b in double, by rows: out is of rows * columns, a of rows * terms, b of terms * columns.
void productInDouble(double* out, const double* a, const double* b, int64_t rows, int64_t terms,
                     int64_t columns);

}  // namespace musashim::mudnn
