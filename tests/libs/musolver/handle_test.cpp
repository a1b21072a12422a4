// The dense part works on muBLAS's handle, as the vendor's.
#include <gtest/gtest.h>
#include <mublas.h>
#include <musolver.h>

#include <type_traits>

#include "mublas/support.h"

namespace musashim::test {
namespace {

static_assert(std::is_same_v<musolverDnHandle_t, mublasHandle_t>);

TEST(MusolverHandle, IsMublass) {
  mublasHandle_t handle = nullptr;
  ASSERT_EQ(mublasCreate(&handle), MUBLAS_STATUS_SUCCESS);
  musaStream_t stream = nullptr, told = nullptr;
  ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
  ASSERT_EQ(mublasSetStream(handle, stream), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnGetStream(handle, &told), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(told, stream);

  // [4 2; 6 3.5]: the second row is the pivot.
  const OnDevice<float> a({4, 6, 2, 3.5f}), b({2, 2.5f});
  const OnDevice<int> pivots(std::vector<int>(2, 0)), info(std::vector<int>(1, 7));
  int size = -1;
  ASSERT_EQ(musolverDnSgetrf_bufferSize(handle, 2, 2, a.get(), 2, &size), MUSOLVER_STATUS_SUCCESS);
  const OnDevice<float> work(std::vector<float>(static_cast<size_t>(size) + 1, 0));
  ASSERT_EQ(musolverDnSgetrf(handle, 2, 2, a.get(), 2, work.get(), pivots.get(), info.get()),
            MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musolverDnSgetrs(handle, MUBLAS_OP_N, 2, 1, a.get(), 2, pivots.get(), b.get(), 2, info.get()),
            MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(pivots.fetch().front(), 2);
  EXPECT_EQ(info.fetch().front(), 0);
  const auto x = b.fetch();
  EXPECT_NEAR(x[0], 1, 1e-5);
  EXPECT_NEAR(x[1], -1, 1e-5);

  EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnGetStream(handle, &told), MUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
}

TEST(MusolverHandle, OfItsOwnIsMublassToo) {
  musolverDnHandle_t handle = nullptr;
  ASSERT_EQ(musolverDnCreate(&handle), MUSOLVER_STATUS_SUCCESS);
  musaStream_t told = nullptr;
  ASSERT_EQ(musolverDnSetStream(handle, musaStreamPerThread), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(mublasGetStream(handle, &told), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(told, musaStreamPerThread);
  EXPECT_EQ(musolverDnDestroy(handle), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(mublasGetStream(handle, &told), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(musolverDnDestroy(handle), MUSOLVER_STATUS_NOT_INITIALIZED);
}

// In rocSOLVER's shapes, as before 5.1: Q R is A, by both.
TEST(MusolverHandle, OlderShapesEndInTodaysCalls) {
  mublasHandle_t handle = nullptr;
  ASSERT_EQ(mublasCreate(&handle), MUBLAS_STATUS_SUCCESS);
  const std::vector<float> matrix{3, 4, 0, 1, 2, 5};  // 3 x 2
  const OnDevice<float> a(matrix), r(std::vector<float>(6, 0)), tau(std::vector<float>(2, 0));
  size_t elements = 0;
  ASSERT_EQ(musolverDnSgeqrf_bufferSize(3, 2, &elements), MUSOLVER_STATUS_SUCCESS);
  const OnDevice<float> work(std::vector<float>(elements, 0));
  ASSERT_EQ(musolverDnSgeqrf(handle, 3, 2, a.get(), 3, tau.get(), static_cast<void*>(work.get())),
            MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  const auto factors = a.fetch();
  EXPECT_NEAR(std::abs(factors[0]), 5, 1e-5);

  // Q times R: the upper triangle, multiplied by the reflectors.
  const OnDevice<float> c({factors[0], 0, 0, factors[3], factors[4], 0});
  ASSERT_EQ(
      musolverDnSormqr(handle, MUBLAS_SIDE_LEFT, MUBLAS_OP_N, 3, 2, 2, a.get(), 3, tau.get(), c.get(), 3),
      MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  const auto product = c.fetch();
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(product[i], matrix[i], 1e-5) << i;

  // And Q itself has columns of length 1.
  ASSERT_EQ(musolverDnSorgqr_bufferSize(3, 2, 2, &elements), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(elements, 2u);
  ASSERT_EQ(musolverDnSorgqr(handle, 3, 2, 2, a.get(), 3, tau.get(), static_cast<void*>(work.get())),
            MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  const auto q = a.fetch();
  EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1, 1e-5);
  EXPECT_NEAR(q[0] * q[3] + q[1] * q[4] + q[2] * q[5], 0, 1e-5);

  EXPECT_EQ(musolverDnCgeqrf_bufferSize(-1, 2, &elements), MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(musolverDnZungqr_bufferSize(2, 3, 3, &elements), MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(musolverDnDgeqrf_bufferSize(3, 2, nullptr), MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
