// muBLAS Xt: what several devices make of a matrix, block by block, is what muBLAS makes of it as a whole.
#include <mublasXt.h>

#include <cstdlib>

#include "mublas/structured.h"

namespace musashim::test {
namespace {

const int kDevices = setenv("MUSASHIM_DEVICES", "2", 0);  // before the first call

constexpr mublasFillMode_t kFills[] = {MUBLAS_FILL_MODE_LOWER, MUBLAS_FILL_MODE_UPPER};
constexpr mublasSideMode_t kSides[] = {MUBLAS_SIDE_LEFT, MUBLAS_SIDE_RIGHT};

// Calls the entry of Xt for T: XT_CALL(T, gemm)(handle, ...).
#define XT_CALL(T, name)                                \
  [](auto... arguments) {                               \
    if constexpr (std::is_same_v<T, float>)             \
      return mublasXtS##name(arguments...);             \
    else if constexpr (std::is_same_v<T, double>)       \
      return mublasXtD##name(arguments...);             \
    else if constexpr (std::is_same_v<T, ComplexFloat>) \
      return mublasXtC##name(arguments...);             \
    else                                                \
      return mublasXtZ##name(arguments...);             \
  }
// Those of complex numbers alone.
#define COMPLEX_CALL(prefix, T, name)              \
  [](auto... arguments) {                          \
    if constexpr (std::is_same_v<T, ComplexFloat>) \
      return prefix##C##name(arguments...);        \
    else                                           \
      return prefix##Z##name(arguments...);        \
  }

mublasXtHandle_t makeXt(int blockDim) {
  mublasXtHandle_t handle = nullptr;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtCreate(&handle));
  int count = 0;
  EXPECT_EQ(musaGetDeviceCount(&count), musaSuccess);
  EXPECT_TRUE(kDevices == 0 && count >= 1);
  int devices[] = {0, count - 1};
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDeviceSelect(handle, count > 1 ? 2 : 1, devices));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetBlockDim(handle, blockDim));
  return handle;
}

template <class T>
class MublasXt : public MublasTest {
 protected:
  static constexpr int m = 19, n = 13, k = 7, ld = 24;

  void SetUp() override {
    MublasTest::SetUp();
    xt_ = makeXt(5);
    for (int i = 0; i < ld; ++i)
      a[static_cast<size_t>(i * ld + i)] += T(8);  // its triangles can be solved with
  }
  void TearDown() override {
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDestroy(xt_));
    MublasTest::TearDown();
  }

  // whole(a, b, c) on copies in device memory, parts(a, b, c) on the host's own.
  template <class Whole, class Parts>
  void expectSame(Whole whole, Parts parts, const std::string& what) {
    const OnDevice<T> da(a), db(b), dc(c);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, whole(da.api(), db.api(), dc.api()));
    std::vector<T> hostA = a, hostB = b, hostC = c;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, parts(api(hostA.data()), api(hostB.data()), api(hostC.data())))
        << what;
    const auto expectAll = [&](const std::vector<T>& got, const std::vector<T>& wanted) {
      std::vector<Wide> expected;
      for (const T& value : wanted) expected.push_back(wide(value));
      expectNear(got, expected, 64, what);
    };
    expectAll(hostC, dc.fetch());
    expectAll(hostB, db.fetch());
  }

  std::vector<T> a = randomNumbers<T>(ld * ld, 1), b = randomNumbers<T>(ld * ld, 2),
                 c = randomNumbers<T>(ld * ld, 3);
  T alpha = randomNumbers<T>(1, 4)[0], beta = randomNumbers<T>(1, 5)[0];
  double realAlpha = 0.75, realBeta = -0.5;
  mublasXtHandle_t xt_ = nullptr;
};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(MublasXt, Types);

TYPED_TEST(MublasXt, Products) {
  using T = TypeParam;
  const int m = this->m, n = this->n, k = this->k, ld = this->ld;
  const auto *alpha = api(&this->alpha), *beta = api(&this->beta);
  for (const mublasOperation_t ta : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C})
    for (const mublasOperation_t tb : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C})
      this->expectSame(
          [&](auto* a, auto* b, auto* c) {
            return MUBLAS_CALL(T, gemm)(this->handle_, ta, tb, m, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          [&](auto* a, auto* b, auto* c) {
            return XT_CALL(T, gemm)(this->xt_, ta, tb, m, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          "gemm");
}

TYPED_TEST(MublasXt, Updates) {
  using T = TypeParam;
  const int n = this->m, k = this->k, ld = this->ld;
  const auto *alpha = api(&this->alpha), *beta = api(&this->beta);
  for (const mublasFillMode_t uplo : kFills)
    for (const mublasOperation_t trans : {MUBLAS_OP_N, MUBLAS_OP_T}) {
      this->expectSame(
          [&](auto* a, auto*, auto* c) {
            return MUBLAS_CALL(T, syrk)(this->handle_, uplo, trans, n, k, alpha, a, ld, beta, c, ld);
          },
          [&](auto* a, auto*, auto* c) {
            return XT_CALL(T, syrk)(this->xt_, uplo, trans, n, k, alpha, a, ld, beta, c, ld);
          },
          "syrk");
      this->expectSame(
          [&](auto* a, auto* b, auto* c) {
            return MUBLAS_CALL(T, syrkx)(this->handle_, uplo, trans, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          [&](auto* a, auto* b, auto* c) {
            return XT_CALL(T, syrkx)(this->xt_, uplo, trans, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          "syrkx");
      this->expectSame(
          [&](auto* a, auto* b, auto* c) {
            return MUBLAS_CALL(T, syr2k)(this->handle_, uplo, trans, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          [&](auto* a, auto* b, auto* c) {
            return XT_CALL(T, syr2k)(this->xt_, uplo, trans, n, k, alpha, a, ld, b, ld, beta, c, ld);
          },
          "syr2k");
    }
}

TYPED_TEST(MublasXt, HermitianUpdates) {
  using T = TypeParam;
  if constexpr (kIsComplex<T>) {
    using Real = typename T::value_type;
    const int n = this->m, k = this->k, ld = this->ld;
    const auto realAlpha = static_cast<Real>(this->realAlpha), realBeta = static_cast<Real>(this->realBeta);
    const auto* alpha = api(&this->alpha);
    for (const mublasFillMode_t uplo : kFills)
      for (const mublasOperation_t trans : {MUBLAS_OP_N, MUBLAS_OP_C}) {
        this->expectSame(
            [&](auto* a, auto*, auto* c) {
              return COMPLEX_CALL(mublas, T, herk)(this->handle_, uplo, trans, n, k, &realAlpha, a, ld,
                                                   &realBeta, c, ld);
            },
            [&](auto* a, auto*, auto* c) {
              return COMPLEX_CALL(mublasXt, T, herk)(this->xt_, uplo, trans, n, k, &realAlpha, a, ld,
                                                     &realBeta, c, ld);
            },
            "herk");
        this->expectSame(
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublas, T, herkx)(this->handle_, uplo, trans, n, k, alpha, a, ld, b, ld,
                                                    &realBeta, c, ld);
            },
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublasXt, T, herkx)(this->xt_, uplo, trans, n, k, alpha, a, ld, b, ld,
                                                      &realBeta, c, ld);
            },
            "herkx");
        this->expectSame(
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublas, T, her2k)(this->handle_, uplo, trans, n, k, alpha, a, ld, b, ld,
                                                    &realBeta, c, ld);
            },
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublasXt, T, her2k)(this->xt_, uplo, trans, n, k, alpha, a, ld, b, ld,
                                                      &realBeta, c, ld);
            },
            "her2k");
      }
  }
}

TYPED_TEST(MublasXt, SymmetricProducts) {
  using T = TypeParam;
  const int m = this->m, n = this->n, ld = this->ld;
  const auto *alpha = api(&this->alpha), *beta = api(&this->beta);
  for (const mublasSideMode_t side : kSides)
    for (const mublasFillMode_t uplo : kFills) {
      const auto whole = [&](auto* a, auto* b, auto* c) {
        return MUBLAS_CALL(T, symm)(this->handle_, side, uplo, m, n, alpha, a, ld, b, ld, beta, c, ld);
      };
      this->expectSame(
          whole,
          [&](auto* a, auto* b, auto* c) {
            return XT_CALL(T, symm)(this->xt_, side, uplo, m, n, alpha, a, ld, b, ld, beta, c, ld);
          },
          "symm");
      this->expectSame(
          whole,
          [&](auto* a, auto* b, auto* c) {
            const int order = side == MUBLAS_SIDE_LEFT ? m : n;
            const bool lower = uplo == MUBLAS_FILL_MODE_LOWER;
            std::vector<typename Api<T>::Type> packed;
            for (int column = 0; column < order; ++column)
              for (int row = lower ? column : 0; row < (lower ? order : column + 1); ++row)
                packed.push_back(a[column * ld + row]);
            return XT_CALL(T, spmm)(this->xt_, side, uplo, m, n, alpha, packed.data(), b, ld, beta, c, ld);
          },
          "spmm");
      if constexpr (kIsComplex<T>)
        this->expectSame(
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublas, T, hemm)(this->handle_, side, uplo, m, n, alpha, a, ld, b, ld, beta,
                                                   c, ld);
            },
            [&](auto* a, auto* b, auto* c) {
              return COMPLEX_CALL(mublasXt, T, hemm)(this->xt_, side, uplo, m, n, alpha, a, ld, b, ld, beta,
                                                     c, ld);
            },
            "hemm");
    }
}

TYPED_TEST(MublasXt, Triangles) {
  using T = TypeParam;
  const int m = this->m, n = this->n, ld = this->ld;
  const auto* alpha = api(&this->alpha);
  for (const mublasSideMode_t side : kSides)
    for (const mublasFillMode_t uplo : kFills)
      for (const mublasOperation_t trans : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}) {
        const mublasDiagType_t diag = MUBLAS_DIAG_NON_UNIT;
        this->expectSame(
            [&](auto* a, auto* b, auto*) {
              return MUBLAS_CALL(T, trsm)(this->handle_, side, uplo, trans, diag, m, n, alpha, a, ld, b, ld);
            },
            [&](auto* a, auto* b, auto*) {
              return XT_CALL(T, trsm)(this->xt_, side, uplo, trans, diag, m, n, alpha, a, ld, b, ld);
            },
            "trsm");
        this->expectSame(
            [&](auto* a, auto* b, auto* c) {
              return MUBLAS_CALL(T, trmm)(this->handle_, side, uplo, trans, diag, m, n, alpha, a, ld, b, ld,
                                          c, ld);
            },
            [&](auto* a, auto* b, auto* c) {
              return XT_CALL(T, trmm)(this->xt_, side, uplo, trans, diag, m, n, alpha, a, ld, b, ld, c, ld);
            },
            "trmm");
      }
}

// What a GPU gave: sums over all elements, each times 1 to 5 by its place.
TEST(MublasXtHandle, RecordedResults) {
  constexpr mublasFillMode_t L = MUBLAS_FILL_MODE_LOWER, U = MUBLAS_FILL_MODE_UPPER;
  constexpr mublasOperation_t N = MUBLAS_OP_N, T = MUBLAS_OP_T;
  constexpr mublasSideMode_t kLeft = MUBLAS_SIDE_LEFT, kRight = MUBLAS_SIDE_RIGHT;
  constexpr mublasDiagType_t kPlain = MUBLAS_DIAG_NON_UNIT, kUnit = MUBLAS_DIAG_UNIT;
  const mublasXtHandle_t h = makeXt(16);
  const float one = 1, zero = 0;
  std::vector<float> matrixA(4096), matrixB(4096), matrixC(4096);
  for (size_t i = 0; i < 4096; ++i) matrixA[i] = i % 65 == 0 ? 2 : 0.5F;
  float *const a = matrixA.data(), *const b = matrixB.data(), *const c = matrixC.data();
  const auto sum = [](const std::vector<float>& matrix) {
    double all = 0;
    for (size_t i = 0; i < matrix.size(); ++i) all += matrix[i] * static_cast<double>(i % 5 + 1);
    return all;
  };
  const double before = 36855, untouched = -12286;  // of b and c
  const auto expect = [&](double sumOfB, double sumOfC, auto operation,
                          mublasStatus_t status = MUBLAS_STATUS_SUCCESS) {
    for (size_t i = 0; i < 4096; ++i) {
      matrixB[i] = static_cast<float>(i % 7);
      matrixC[i] = -1;
    }
    EXPECT_EQ(operation(), status);
    EXPECT_NEAR(sum(matrixB), sumOfB, std::abs(sumOfB) * 1e-6);
    EXPECT_NEAR(sum(matrixC), sumOfC, std::abs(sumOfC) * 1e-6);
  };
  expect(before, 100893, [&] { return mublasXtSsyrk(h, L, N, 64, 64, &one, a, 64, &zero, c, 64); });
  expect(before, 97058, [&] { return mublasXtSsyrk(h, U, T, 64, 64, &one, a, 64, &one, c, 64); });
  expect(
      before, untouched,
      [&] { return mublasXtSsyrk(h, MUBLAS_FILL_MODE_FULL, N, 64, 64, &one, a, 64, &zero, c, 64); },
      MUBLAS_STATUS_INVALID_VALUE);
  expect(before, 607493, [&] { return mublasXtSsyrkx(h, L, N, 64, 64, &one, a, 64, b, 64, &zero, c, 64); });
  expect(before, 1247895.5,
         [&] { return mublasXtSsyr2k(h, U, N, 64, 64, &one, a, 64, b, 64, &zero, c, 64); });
  expect(before, 1234447.5,
         [&] { return mublasXtSsymm(h, kLeft, L, 64, 64, &one, a, 64, b, 64, &zero, c, 64); });
  expect(before, 1156380.5,
         [&] { return mublasXtSsymm(h, kRight, U, 60, 64, &one, a, 64, b, 64, &zero, c, 64); });
  expect(before, 1231930.5, [&] { return mublasXtSspmm(h, kLeft, L, 64, 64, &one, a, b, 64, &zero, c, 64); });
  expect(before, 1153098.5,
         [&] { return mublasXtSspmm(h, kRight, U, 60, 64, &one, a, b, 64, &zero, c, 64); });
  expect(before, 653747.5,
         [&] { return mublasXtStrmm(h, kLeft, L, N, kPlain, 64, 64, &one, a, 64, b, 64, c, 64); });
  expect(617365, untouched,
         [&] { return mublasXtStrmm(h, kRight, U, T, kUnit, 64, 64, &one, a, 64, b, 64, b, 64); });
  expect(1156.85817, untouched,
         [&] { return mublasXtStrsm(h, kLeft, L, N, kPlain, 64, 64, &one, a, 64, b, 64); });
  expect(3369.05558, untouched,
         [&] { return mublasXtStrsm(h, kRight, U, N, kUnit, 60, 64, &one, a, 64, b, 64); });
  expect(before, untouched, [&] { return mublasXtStrsm(h, kLeft, L, N, kPlain, 0, 64, &one, a, 64, b, 64); });
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDestroy(h));
}

// A routine of the host that can be told from a product: it fills its columns with 42.
int hostsColumns = 0;
void fillWithAnswer(const char*, const char*, const int* m, const int* n, const int*, const float*,
                    const float*, const int*, const float*, const int*, const float*, float* c,
                    const int* ldc) {
  hostsColumns = *n;
  for (int column = 0; column < *n; ++column) std::fill_n(c + column * *ldc, *m, 42.0F);
}

TEST(MublasXtHandle, TheHostTakesItsShareOfProducts) {
  const mublasXtHandle_t handle = makeXt(3);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetCpuRoutine(handle, MUBLASXT_GEMM, MUBLASXT_FLOAT,
                                                           reinterpret_cast<void*>(fillWithAnswer)));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetCpuRatio(handle, MUBLASXT_GEMM, MUBLASXT_FLOAT, 0.25F));
  const std::vector<float> a(64, 1), b(64, 2);
  std::vector<float> c(64, -1);
  const float one = 1, zero = 0;
  const auto product = [&](float* to) {
    return mublasXtSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, 8, 8, 8, &one, a.data(), 8, b.data(), 8, &zero, to,
                         8);
  };
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, product(c.data()));
  EXPECT_EQ(hostsColumns, 2);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(c[i], i < 48 ? 16 : 42) << i;

  // It cannot touch what is a device's.
  hostsColumns = 0;
  const OnDevice<float> onDevice(c);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, product(onDevice.get()));
  EXPECT_EQ(hostsColumns, 0);
  EXPECT_EQ(onDevice.fetch(), std::vector<float>(64, 16));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDestroy(handle));
}

TEST(MublasXtHandle, Settings) {
  int device = 0, count = 0, value = 0;
  ASSERT_EQ(musaGetDeviceCount(&count), musaSuccess);
  mublasXtHandle_t handle = nullptr;
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtCreate(nullptr));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtCreate(&handle));
  std::vector<float> x(4, 1);
  const float one = 1;
  const auto product = [&] {
    return mublasXtSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, &one, x.data(), 2, x.data(), 2, &one,
                         x.data(), 2);
  };
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, product());  // no device yet
  int none = count;
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtDeviceSelect(handle, 0, &device));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtDeviceSelect(handle, 1, nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_INTERNAL_ERROR, mublasXtDeviceSelect(handle, 1, &none));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtDeviceSelect(handle, 1, &device));  // for good
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, product());
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDestroy(handle));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtCreate(&handle));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDeviceSelect(handle, 1, &device));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtDeviceSelect(handle, 1, &device));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, product());
  EXPECT_EQ(musaGetLastError(), musaSuccess);

  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtGetBlockDim(handle, &value));
  EXPECT_EQ(value, 1024);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtSetBlockDim(nullptr, 64));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtSetBlockDim(handle, 0));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetBlockDim(handle, 96));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtGetBlockDim(handle, &value));
  EXPECT_EQ(value, 96);
  mublasXtPinningMemMode_t mode = MUBLASXT_PINNING_DISABLED;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetPinningMemMode(handle, MUBLASXT_PINNING_ENABLED));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtGetPinningMemMode(handle, &mode));
  EXPECT_EQ(mode, MUBLASXT_PINNING_ENABLED);
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, mublasXtSetCpuRatio(handle, MUBLASXT_TRSM, MUBLASXT_FLOAT, 0.5F));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtSetCpuRatio(handle, MUBLASXT_GEMM, MUBLASXT_FLOAT, 1.5F));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtMaxBoards(&value));
  EXPECT_EQ(value, 1024);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtGetNumBoards(1, &device, &value));
  EXPECT_EQ(value, 1);

  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED,
              mublasXtSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, size_t{1} << 40, 2, 2, &one, x.data(),
                            size_t{1} << 40, x.data(), 2, &one, x.data(), size_t{1} << 40));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasXtSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, 4, 1, 1, &one,
                                                         x.data(), 2, x.data(), 1, &one, x.data(), 4));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasXtDestroy(handle));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, mublasXtDestroy(handle));
}

}  // namespace
}  // namespace musashim::test
