// A sparse vector, as values and indices, with a dense one.
#pragma once

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t checkVectors(int nnz, const void* values, const void* indices, const void* dense,
                                     musparseIndexBase_t base) {
  MUSPARSE_REQUIRE(nnz >= 0 && isBase(base) && (nnz == 0 || (values && indices && dense)));
  return MUSPARSE_STATUS_SUCCESS;
}

template <class T>
musparseStatus_t axpyi(Settings& self, int nnz, const T* alpha, const T* xVal, const int* xInd, T* y,
                       musparseIndexBase_t base) {
  MUSPARSE_REQUIRE(alpha);
  MUSPARSE_TRY(checkVectors(nnz, xVal, xInd, y, base));
  return enqueue(self, [=, factor = Scalar<ValueOf<T>>(self, alpha)] {
    for (int k = 0; k < nnz; ++k) asValues(y)[xInd[k] - base] += times(factor.get(), asValues(xVal)[k]);
  });
}

template <class T>
musparseStatus_t gthr(Settings& self, int nnz, const T* y, T* xVal, const int* xInd,
                      musparseIndexBase_t base) {
  MUSPARSE_TRY(checkVectors(nnz, xVal, xInd, y, base));
  return enqueue(self, [=] {
    for (int k = 0; k < nnz; ++k) xVal[k] = y[xInd[k] - base];
  });
}

// As gthr, and leaves zeros where it took from.
template <class T>
musparseStatus_t gthrz(Settings& self, int nnz, T* y, T* xVal, const int* xInd, musparseIndexBase_t base) {
  MUSPARSE_TRY(checkVectors(nnz, xVal, xInd, y, base));
  return enqueue(self, [=] {
    for (int k = 0; k < nnz; ++k) xVal[k] = y[xInd[k] - base];
    for (int k = 0; k < nnz; ++k) y[xInd[k] - base] = T{};
  });
}

template <class T>
musparseStatus_t sctr(Settings& self, int nnz, const T* xVal, const int* xInd, T* y,
                      musparseIndexBase_t base) {
  MUSPARSE_TRY(checkVectors(nnz, xVal, xInd, y, base));
  return enqueue(self, [=] {
    for (int k = 0; k < nnz; ++k) y[xInd[k] - base] = xVal[k];
  });
}

template <class T>
musparseStatus_t roti(Settings& self, int nnz, T* xVal, const int* xInd, T* y, const T* c, const T* s,
                      musparseIndexBase_t base) {
  MUSPARSE_REQUIRE(c && s);
  MUSPARSE_TRY(checkVectors(nnz, xVal, xInd, y, base));
  return enqueue(self, [=, cosine = Scalar<T>(self, c), sine = Scalar<T>(self, s)] {
    for (int k = 0; k < nnz; ++k) {
      T& other = y[xInd[k] - base];
      const T x = xVal[k];
      xVal[k] = cosine.get() * x + sine.get() * other;
      other = cosine.get() * other - sine.get() * x;
    }
  });
}

}  // namespace musashim::musparse
