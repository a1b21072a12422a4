#include "libs/mudnn/sequences/matrices.h"

#include <algorithm>

#include "libs/mudnn/onednn/engine.h"

namespace musashim::mudnn {

template <>
void multiply<float>(int64_t rows, int64_t columns, int64_t terms, const MatrixView<float>& a,
                     const MatrixView<float>& b, float* c, int64_t pitch, bool adds) {
  if (rows == 0 || columns == 0) return;
  onednn::matrixProduct({a.data, a.pitch, a.isTurned}, {b.data, b.pitch, b.isTurned}, c, pitch, rows, columns,
                        terms, adds);
}

// oneDNN does not compute in double.
template <>
void multiply<double>(int64_t rows, int64_t columns, int64_t terms, const MatrixView<double>& a,
                      const MatrixView<double>& b, double* c, int64_t pitch, bool adds) {
  for (int64_t i = 0; i < rows; ++i) {
    double* const row = c + i * pitch;
    if (!adds) std::fill(row, row + columns, 0.0);
    for (int64_t k = 0; k < terms; ++k) {
      const double factor = a.isTurned ? a.data[k * a.pitch + i] : a.data[i * a.pitch + k];
      const double* const from = b.isTurned ? b.data + k : b.data + k * b.pitch;
      const int64_t step = b.isTurned ? b.pitch : 1;
      for (int64_t j = 0; j < columns; ++j) row[j] += factor * from[j * step];
    }
  }
}

}  // namespace musashim::mudnn
