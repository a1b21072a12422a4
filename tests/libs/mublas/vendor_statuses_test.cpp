// What a program of the vendor's is told: the statuses of its torch_musa, and rocBLAS's rules for arguments
// (rocBLAS's documentation, "Invalid value, size and pointer checks"): handle, options, sizes, pointers.
#include <internal/mublas_types.h>

// Before mublas.h: the types stand alone.
static_assert(sizeof(mublasHandle_t) == sizeof(void*) && MUBLAS_STATUS_CHECK_NUMERICS_FAIL == 13);

#include <gtest/gtest.h>
#include <mublas.h>
#include <mublasLt.h>
#include <mublasXt.h>

#include <string>

#include "mublas/support.h"

namespace musashim::test {
namespace {

// All fourteen have names and numbers of their own.
std::string vendorsName(mublasStatus_t status) {
  switch (status) {
    case MUBLAS_STATUS_SUCCESS:
      return "MUBLAS_STATUS_SUCCESS";
    case MUBLAS_STATUS_INVALID_HANDLE:
      return "MUBLAS_STATUS_INVALID_HANDLE";
    case MUBLAS_STATUS_NOT_IMPLEMENTED:
      return "MUBLAS_STATUS_NOT_IMPLEMENTED";
    case MUBLAS_STATUS_INVALID_POINTER:
      return "MUBLAS_STATUS_INVALID_POINTER";
    case MUBLAS_STATUS_INVALID_SIZE:
      return "MUBLAS_STATUS_INVALID_SIZE";
    case MUBLAS_STATUS_MEMORY_ERROR:
      return "MUBLAS_STATUS_MEMORY_ERROR";
    case MUBLAS_STATUS_INTERNAL_ERROR:
      return "MUBLAS_STATUS_INTERNAL_ERROR";
    case MUBLAS_STATUS_PERF_DEGRADED:
      return "MUBLAS_STATUS_PERF_DEGRADED";
    case MUBLAS_STATUS_SIZE_QUERY_MISMATCH:
      return "MUBLAS_STATUS_SIZE_QUERY_MISMATCH";
    case MUBLAS_STATUS_SIZE_INCREASED:
      return "MUBLAS_STATUS_SIZE_INCREASED";
    case MUBLAS_STATUS_SIZE_UNCHANGED:
      return "MUBLAS_STATUS_SIZE_UNCHANGED";
    case MUBLAS_STATUS_INVALID_VALUE:
      return "MUBLAS_STATUS_INVALID_VALUE";
    case MUBLAS_STATUS_CONTINUE:
      return "MUBLAS_STATUS_CONTINUE";
    case MUBLAS_STATUS_CHECK_NUMERICS_FAIL:
      return "MUBLAS_STATUS_CHECK_NUMERICS_FAIL";
    default:
      return "?";
  }
}

// A ported program names cuBLAS's: no two of them are one number.
bool isCudas(mublasStatus_t status) {
  switch (status) {
    case MUBLAS_STATUS_SUCCESS:
    case MUBLAS_STATUS_NOT_INITIALIZED:
    case MUBLAS_STATUS_ALLOC_FAILED:
    case MUBLAS_STATUS_INVALID_VALUE:
    case MUBLAS_STATUS_ARCH_MISMATCH:
    case MUBLAS_STATUS_MAPPING_ERROR:
    case MUBLAS_STATUS_EXECUTION_FAILED:
    case MUBLAS_STATUS_INTERNAL_ERROR:
    case MUBLAS_STATUS_NOT_SUPPORTED:
    case MUBLAS_STATUS_LICENSE_ERROR:
      return true;
    default:
      return false;
  }
}

#define EXPECT_STATUS(status, call) EXPECT_EQ(vendorsName(call), "MUBLAS_STATUS_" #status) << #call

class VendorStatuses : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mublasCreate(&handle), MUBLAS_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_SUCCESS); }

  mublasHandle_t handle = nullptr;
  const OnDevice<float> a{std::vector<float>(16, 1)}, b{std::vector<float>(16, 1)},
      c{std::vector<float>(16, 1)};
  const float one = 1, zero = 0;
  float result = -1;
};

TEST_F(VendorStatuses, NumbersAndNames) {
  for (int i = 0; i < 14; ++i) {
    const auto status = static_cast<mublasStatus_t>(i);
    EXPECT_EQ(vendorsName(status), mublasGetStatusName(status));
    EXPECT_STREQ(mublasGetStatusName(status), mublasLtGetStatusName(status));
    EXPECT_STRNE(mublasGetStatusString(status), "no such status");
  }
  EXPECT_STREQ(mublasGetStatusName(MUBLAS_STATUS_EXECUTION_FAILED), "MUBLAS_STATUS_EXECUTION_FAILED");
  EXPECT_STREQ(mublasGetStatusName(static_cast<mublasStatus_t>(14)), "MUBLAS_STATUS_UNKNOWN");
  EXPECT_TRUE(isCudas(MUBLAS_STATUS_INVALID_HANDLE) && isCudas(MUBLAS_STATUS_NOT_IMPLEMENTED));
  EXPECT_FALSE(isCudas(MUBLAS_STATUS_INVALID_SIZE));
}

TEST_F(VendorStatuses, Handles) {
  EXPECT_STATUS(INVALID_HANDLE, mublasCreate(nullptr));
  EXPECT_STATUS(INVALID_HANDLE, mublasDestroy(nullptr));
  EXPECT_STATUS(INVALID_HANDLE, mublasSetStream(nullptr, nullptr));
  EXPECT_STATUS(INVALID_HANDLE, mublasSscal(nullptr, -1, nullptr, nullptr, 0));
  EXPECT_STATUS(INVALID_HANDLE, mublasSgemm(nullptr, MUBLAS_OP_N, MUBLAS_OP_N, -1, 1, 1, nullptr, nullptr, 1,
                                            nullptr, 1, nullptr, nullptr, 1));
  EXPECT_STATUS(INVALID_HANDLE, mublasLtDestroy(nullptr));
  EXPECT_STATUS(INVALID_POINTER, mublasGetStream(handle, nullptr));
  EXPECT_STATUS(INVALID_VALUE, mublasSetPointerMode(handle, static_cast<mublasPointerMode_t>(7)));
}

TEST_F(VendorStatuses, OptionsThenSizesThenPointers) {
  const auto gemm = [&](int trans, int m, int lda, const float* alpha, const float* from, float* to) {
    return mublasSgemm(handle, static_cast<mublasOperation_t>(trans), MUBLAS_OP_N, m, 4, 4, alpha, from, lda,
                       b.get(), 4, &zero, to, 4);
  };
  EXPECT_STATUS(SUCCESS, gemm(0, 4, 4, &one, a.get(), c.get()));
  EXPECT_STATUS(INVALID_VALUE, gemm(7, -1, 4, &one, a.get(), c.get()));
  EXPECT_STATUS(INVALID_SIZE, gemm(0, -1, 4, nullptr, nullptr, c.get()));
  EXPECT_STATUS(INVALID_SIZE, gemm(0, 4, 3, &one, a.get(), c.get()));
  EXPECT_STATUS(INVALID_POINTER, gemm(0, 4, 4, nullptr, a.get(), c.get()));
  EXPECT_STATUS(INVALID_POINTER, gemm(0, 4, 4, &one, nullptr, c.get()));
  EXPECT_STATUS(INVALID_POINTER, gemm(0, 4, 4, &one, a.get(), nullptr));
  EXPECT_STATUS(SUCCESS, gemm(0, 0, 4, &one, nullptr, nullptr));   // no elements
  EXPECT_STATUS(SUCCESS, gemm(0, 4, 4, &zero, nullptr, c.get()));  // A is not read
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  EXPECT_EQ(c.fetch(), std::vector<float>(16, 0));
}

TEST_F(VendorStatuses, Vectors) {
  EXPECT_STATUS(SUCCESS, mublasSdot(handle, -2, nullptr, 1, nullptr, 1, &result));
  EXPECT_EQ(result, 0);
  EXPECT_STATUS(INVALID_POINTER, mublasSdot(handle, 4, a.get(), 1, nullptr, 1, &result));
  EXPECT_STATUS(INVALID_POINTER, mublasSdot(handle, 4, a.get(), 1, b.get(), 1, nullptr));
  EXPECT_STATUS(INVALID_POINTER, mublasSaxpy(handle, 4, nullptr, a.get(), 1, b.get(), 1));
  EXPECT_STATUS(INVALID_POINTER, mublasSaxpy(handle, 4, &one, a.get(), 1, nullptr, 1));
  EXPECT_STATUS(SUCCESS, mublasSaxpy(handle, -4, &one, nullptr, 0, nullptr, 0));
  EXPECT_STATUS(INVALID_SIZE, mublasSetVector(-1, 4, &one, 1, a.get(), 1));
  EXPECT_STATUS(INVALID_SIZE, mublasSetVector_64(1, 4, &one, 0, a.get(), 1));
  EXPECT_STATUS(INVALID_POINTER, mublasGetVector(1, 4, nullptr, 1, &result, 1));
}

TEST_F(VendorStatuses, MatricesTimesVectors) {
  const auto gemv = [&](int trans, int m, int lda, int incx) {
    return mublasSgemv(handle, static_cast<mublasOperation_t>(trans), m, 4, &one, a.get(), lda, b.get(), incx,
                       &zero, c.get(), 1);
  };
  EXPECT_STATUS(SUCCESS, gemv(0, 4, 4, 1));
  EXPECT_STATUS(INVALID_VALUE, gemv(9, 4, 4, 1));  // of which cuBLAS says nothing
  EXPECT_STATUS(INVALID_SIZE, gemv(0, -4, 4, 1));
  EXPECT_STATUS(INVALID_SIZE, gemv(0, 4, 2, 1));
  EXPECT_STATUS(INVALID_SIZE, gemv(0, 4, 4, 0));
  EXPECT_STATUS(INVALID_VALUE, mublasStrsv(handle, static_cast<mublasFillMode_t>(5), MUBLAS_OP_N,
                                           MUBLAS_DIAG_UNIT, 4, a.get(), 4, b.get(), 1));
}

TEST_F(VendorStatuses, Updates) {
  const muComplex factor{1, 0};
  muComplex* const matrix = reinterpret_cast<muComplex*>(c.get());
  EXPECT_STATUS(INVALID_VALUE, mublasCsyr2k(handle, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_C, 2, 2, &factor,
                                            matrix, 2, matrix, 2, &factor, matrix, 2));
  EXPECT_STATUS(INVALID_SIZE,
                mublasSgemmStridedBatched(handle, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, &one, a.get(), 2, 4,
                                          b.get(), 2, 4, &zero, c.get(), 2, 4, -1));
  EXPECT_STATUS(SUCCESS, mublasSgeam(handle, MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, &one, a.get(), 4, &zero, nullptr,
                                     4, c.get(), 4));
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  EXPECT_EQ(c.fetch(), std::vector<float>(16, 1));
  float* matrices[] = {a.get()};
  const OnDevice<float*> pointers(std::vector<float*>(matrices, matrices + 1));
  const OnDevice<int> info(std::vector<int>(1, 7));
  EXPECT_STATUS(SUCCESS,
                mublasSgetrfBatched(handle, 4, pointers.get(), 4, nullptr, info.get(), 1));  // no pivots
  EXPECT_STATUS(INVALID_POINTER, mublasSgetrfBatched(handle, 4, pointers.get(), 4, nullptr, nullptr, 1));
}

TEST_F(VendorStatuses, WhatThereIsNot) {
  EXPECT_STATUS(NOT_IMPLEMENTED, mublasGemmEx(handle, MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, &one, a.get(),
                                              MUSA_R_64F, 4, b.get(), MUSA_R_32F, 4, &zero, c.get(),
                                              MUSA_R_32F, 4, MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT));
  EXPECT_STATUS(NOT_IMPLEMENTED, mublasSscal_64(handle, int64_t{1} << 40, &one, a.get(), 1));
  mublasXtHandle_t several = nullptr;
  ASSERT_EQ(mublasXtCreate(&several), MUBLAS_STATUS_SUCCESS);
  EXPECT_STATUS(INVALID_HANDLE, mublasXtSgemm(several, MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, &one, a.get(), 4,
                                              b.get(), 4, &zero, c.get(), 4));  // no devices
  EXPECT_EQ(mublasXtDestroy(several), MUBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
