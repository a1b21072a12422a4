// What the operations share: their work on the stream, LAPACK's letters and work areas, checks of arguments.
#pragma once

#include <musa_runtime_api.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "libs/core/blas_options.h"
#include "libs/core/numbers.h"
#include "libs/core/stream_work.h"
#include "libs/musolver/api/entry.h"
#include "libs/musolver/operations/lapack.h"

namespace musashim::musolver {

using libs::asValues;
using libs::isFill;
using libs::isOperation;
using libs::isSide;
using libs::leads;
using libs::letter;
using libs::RealOf;
using libs::ValueOf;

template <class T>
constexpr bool kIsReal = !libs::Numbers<T>::isComplex;

constexpr int kBlock = 32;  // columns that LAPACK takes at once

template <class Work>
musolverStatus_t enqueue(Settings& settings, Work&& work) {
  const musaError_t error = libs::runOnStream(settings.stream, std::forward<Work>(work));
  if (error == musaSuccess) return MUSOLVER_STATUS_SUCCESS;
  (void)musaGetLastError();
  return MUSOLVER_STATUS_EXECUTION_FAILED;
}

inline void tell(int* where, int info) {
  if (where) *where = info;
}

// An answer about the size of a work area. The library's answers come from sizes that the calls refuse as
// well.
inline musolverStatus_t answer(bool valid, int* lwork, int columns) {
  MUSOLVER_REQUIRE(valid && lwork);
  *lwork = std::max(1, columns * kBlock);
  return MUSOLVER_STATUS_SUCCESS;
}
inline bool holds(int lwork, int columns) { return lwork >= std::max(1, columns); }

// The same, and waits for it: for calls whose answer is in host memory.
template <class Work>
musolverStatus_t runNow(Settings& settings, Work&& work) {
  MUSOLVER_TRY(enqueue(settings, std::forward<Work>(work)));
  if (musaStreamSynchronize(settings.stream) == musaSuccess) return MUSOLVER_STATUS_SUCCESS;
  (void)musaGetLastError();
  return MUSOLVER_STATUS_EXECUTION_FAILED;
}

// LAPACK's work area, as large as it asks for: call(work, size) is made twice.
template <class V, class Call>
void withWork(Call&& call) {
  V asked[1] = {};
  call(asked, -1);
  const int size = std::max(1, static_cast<int>(std::real(asked[0])));
  std::vector<V> work(static_cast<size_t>(size));
  call(work.data(), size);
}

// Complex ones have names of their own.
#define MUSOLVER_SAME_AS(name, other)                   \
  template <class... Args>                              \
  musolverStatus_t name(Settings& self, Args... args) { \
    return other(self, args...);                        \
  }

inline bool isJob(musolverEigMode_t job) {
  return job == MUSOLVER_EIG_MODE_NOVECTOR || job == MUSOLVER_EIG_MODE_VECTOR;
}
inline char letter(musolverEigMode_t job) { return job == MUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N'; }

}  // namespace musashim::musolver
