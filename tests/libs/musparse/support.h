// What muSPARSE's tests share: random sparse matrices in device memory, and as dense ones for references.
#pragma once

#include <musparse.h>

#include <numeric>

#include "mublas/support.h"

#define EXPECT_SPARSE(expected, call) EXPECT_STREQ(#expected, musparseGetErrorName(call)) << #call
#define ASSERT_SPARSE(expected, call) ASSERT_STREQ(#expected, musparseGetErrorName(call)) << #call

namespace musashim::test {

template <class T>
constexpr musaDataType kType = std::is_same_v<T, float>          ? MUSA_R_32F
                               : std::is_same_v<T, double>       ? MUSA_R_64F
                               : std::is_same_v<T, ComplexFloat> ? MUSA_C_32F
                                                                 : MUSA_C_64F;
template <class I>
constexpr musparseIndexType_t kIndex = sizeof(I) == 8 ? MUSPARSE_INDEX_64I : MUSPARSE_INDEX_32I;

// Calls the entry for T: MUSPARSE_CALL(T, gtsv2)(handle, ...).
#define MUSPARSE_CALL(T, name)                                            \
  [](auto... arguments) {                                                 \
    if constexpr (std::is_same_v<T, float>)                               \
      return musparseS##name(arguments...);                               \
    else if constexpr (std::is_same_v<T, double>)                         \
      return musparseD##name(arguments...);                               \
    else if constexpr (std::is_same_v<T, ::musashim::test::ComplexFloat>) \
      return musparseC##name(arguments...);                               \
    else                                                                  \
      return musparseZ##name(arguments...);                               \
  }

// On the host, by rows; indices from `base`.
template <class T, class I = int>
struct HostCsr {
  int rows, columns, base = 0;
  std::vector<I> offsets, indices;
  std::vector<T> values;

  // About one element in three; some rows stay empty. `diagonal`: each row has a large element there.
  static HostCsr random(int rows, int columns, unsigned seed, int base = 0, bool diagonal = false) {
    std::mt19937 random(seed);
    HostCsr a{rows, columns, base, {static_cast<I>(base)}, {}, {}};
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const bool own = diagonal && row == column;
        if (!own && (random() % 3 != 0 || (!diagonal && row % 5 == 1))) continue;
        a.indices.push_back(static_cast<I>(column + base));
        a.values.push_back(randomNumber<T>(random) + (own ? T(8) : T(0)));
      }
      a.offsets.push_back(static_cast<I>(a.indices.size()) + static_cast<I>(base));
    }
    return a;
  }
  int64_t nnz() const { return static_cast<int64_t>(values.size()); }

  // Column by column.
  std::vector<T> dense() const {
    std::vector<T> result(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (int row = 0; row < rows; ++row)
      for (I k = offsets[static_cast<size_t>(row)]; k < offsets[static_cast<size_t>(row) + 1]; ++k)
        result[static_cast<size_t>(indices[static_cast<size_t>(k - base)] - base) *
                   static_cast<size_t>(rows) +
               static_cast<size_t>(row)] += values[static_cast<size_t>(k - base)];
    return result;
  }
};

template <class T, class I = int>
struct DeviceCsr {
  explicit DeviceCsr(const HostCsr<T, I>& a) : offsets(a.offsets), indices(a.indices), values(a.values) {
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        musparseCreateCsr(&describe, a.rows, a.columns, a.nnz(), offsets.get(), indices.get(), values.get(),
                          kIndex<I>, kIndex<I>, static_cast<musparseIndexBase_t>(a.base), kType<T>));
  }
  ~DeviceCsr() { EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroySpMat(describe)); }
  OnDevice<I> offsets, indices;
  OnDevice<T> values;
  musparseSpMatDescr_t describe = nullptr;
};

template <class T>
struct Vector {
  explicit Vector(const std::vector<T>& from) : values(from) {
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  musparseCreateDnVec(&describe, static_cast<int64_t>(from.size()), values.get(), kType<T>));
  }
  ~Vector() { EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroyDnVec(describe)); }
  OnDevice<T> values;
  musparseDnVecDescr_t describe = nullptr;
};

template <class T>
struct Dense {
  Dense(int rows, int columns, const std::vector<T>& from, musparseOrder_t order = MUSPARSE_ORDER_COL)
      : values(from) {
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  musparseCreateDnMat(&describe, rows, columns, order == MUSPARSE_ORDER_COL ? rows : columns,
                                      values.get(), kType<T>, order));
  }
  ~Dense() { EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroyDnMat(describe)); }
  OnDevice<T> values;
  musparseDnMatDescr_t describe = nullptr;
};

// The older calls' description of a matrix.
struct Description {
  explicit Description(int base = 0) {
    musparseCreateMatDescr(&descr);
    musparseSetMatIndexBase(descr, static_cast<musparseIndexBase_t>(base));
  }
  ~Description() { musparseDestroyMatDescr(descr); }
  operator musparseMatDescr_t() const { return descr; }  // NOLINT: as the calls take it
  musparseMatDescr_t descr = nullptr;
};

class MusparseTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCreate(&handle_)); }
  void TearDown() override { EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroy(handle_)); }

  musparseHandle_t handle_ = nullptr;
  OnDevice<char> buffer_{std::vector<char>(4096)};
};
template <class T>
class MusparseTyped : public MusparseTest {};
using MusparseTypes = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;

inline mublasOperation_t blasOf(musparseOperation_t op) { return static_cast<mublasOperation_t>(op); }

}  // namespace musashim::test
