// oneDNN for tensors in devices' memory. All functions run where they are called, on as many threads as the
// libraries may use, and throw what oneDNN throws.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn::onednn {

// Arrays of floats without gaps or repetitions in any order of dimensions: x is N, C and the places; w is
// output channels, input channels of a group and the places; y as x.
struct Convolution {
  Array x, w, y;
  Array bias;  // one for each output channel; without data there is none
  int groups = 1;
  std::vector<int64_t> pads, strides, dilations;  // for each dimension of places; dilations begin at 1
};
void convolutionForward(const Convolution& problem);
void convolutionBackwardData(const Convolution& problem);    // x is written
void convolutionBackwardFilter(const Convolution& problem);  // w is written

// out = a times b, of floats: matrices in the last two dimensions, batches in front, of 1 where they are for
// all. One of a matrix's strides is 1, the other not less than the row or column is long.
void product(const Array& out, const Array& a, const Array& b);

// c = a b + (adds ? c : 0), by rows: a is of rows * terms and b of terms * columns once they are turned.
struct Matrix {
  const float* data;
  int64_t pitch;
  bool isTurned;
};
void matrixProduct(const Matrix& a, const Matrix& b, float* c, int64_t pitch, int64_t rows, int64_t columns,
                   int64_t terms, bool adds);

// Whether oneDNN takes such strides: every element has a place of its own, and there are no gaps.
bool isDense(const Array& array);

}  // namespace musashim::mudnn::onednn
