// Products of matrices by rows, as recurrent networks and attention need them.
#pragma once

#include <cstdint>

namespace musashim::mudnn {

template <class V>
struct MatrixView {
  const V* data;
  int64_t pitch;          // elements from row to row
  bool isTurned = false;  // the operand is its transpose
};

// c = a b + (adds ? c : 0), where a is of rows * terms and b of terms * columns once they are turned.
template <class V>
void multiply(int64_t rows, int64_t columns, int64_t terms, const MatrixView<V>& a, const MatrixView<V>& b,
              V* c, int64_t pitch, bool adds);

}  // namespace musashim::mudnn
