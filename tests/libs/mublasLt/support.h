// What muBLASLt's tests share: descriptors, products with the algorithm that the library names, small
// integers.
#pragma once

#include <mublasLt.h>

#include "mublas/support.h"

namespace musashim::test {
struct Layout {
  Layout(musaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatrixLayoutInit(&memory, type, rows, columns, ld));
  }
  template <class T>
  void set(mublasLtMatrixLayoutAttribute_t attribute, T value) {
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasLtMatrixLayoutSetAttribute(&memory, attribute, &value, sizeof value));
  }
  mublasLtMatrixLayoutOpaque_t memory;
};

struct Operation {
  Operation(mublasComputeType_t compute, musaDataType scale) {
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatmulDescInit(&memory, compute, scale));
  }
  template <class T>
  Operation& set(mublasLtMatmulDescAttributes_t attribute, T value) {
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasLtMatmulDescSetAttribute(&memory, attribute, &value, sizeof value));
    return *this;
  }
  mublasLtMatmulDescOpaque_t memory;
};

class MublasLtTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtCreate(&handle_)); }
  void TearDown() override { EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtDestroy(handle_)); }

  // With the algorithm that the library names.
  mublasStatus_t multiply(Operation& operation, const void* alpha, const void* A, Layout& a, const void* B,
                          Layout& b, const void* beta, const void* C, Layout& c, void* D, Layout& d) {
    mublasLtMatmulPreferenceOpaque_t preference;
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatmulPreferenceInit(&preference));
    mublasLtMatmulHeuristicResult_t result{};
    int count = 0;
    const mublasStatus_t status =
        mublasLtMatmulAlgoGetHeuristic(handle_, &operation.memory, &a.memory, &b.memory, &c.memory, &d.memory,
                                       &preference, 1, &result, &count);
    if (status != MUBLAS_STATUS_SUCCESS) return status;
    EXPECT_EQ(1, count);
    return mublasLtMatmul(handle_, &operation.memory, alpha, A, &a.memory, B, &b.memory, beta, C, &c.memory,
                          D, &d.memory, &result.algo, nullptr, 0, nullptr);
  }

  mublasLtHandle_t handle_ = nullptr;
};

template <class T>
std::vector<T> integers(size_t count, unsigned seed, int range = 4) {
  std::mt19937 random(seed);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(
        static_cast<float>(static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range)));
  return values;
}

}  // namespace musashim::test
