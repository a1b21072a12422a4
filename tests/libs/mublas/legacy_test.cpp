// muBLAS without handles, as ported code of cuBLAS's first interface calls it.
#include <gtest/gtest.h>
#include <mublas_legacy.h>

#include <cmath>
#include <vector>

namespace {

class MublasLegacy : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mublasInit(), MUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(mublasAlloc(16, sizeof(float), reinterpret_cast<void**>(&x_)), MUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(mublasAlloc(16, sizeof(float), reinterpret_cast<void**>(&y_)), MUBLAS_STATUS_SUCCESS);
    std::vector<float> numbers(16);
    for (size_t i = 0; i < 16; ++i) numbers[i] = static_cast<float>(i + 1);
    ASSERT_EQ(mublasSetVector(16, sizeof(float), numbers.data(), 1, x_, 1), MUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(mublasSetVector(16, sizeof(float), numbers.data(), 1, y_, 1), MUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mublasFree(x_), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasFree(y_), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasShutdown(), MUBLAS_STATUS_SUCCESS);
  }
  static std::vector<float> fetch(const float* from) {
    std::vector<float> numbers(16);
    EXPECT_EQ(mublasGetVector(16, sizeof(float), from, 1, numbers.data(), 1), MUBLAS_STATUS_SUCCESS);
    return numbers;
  }

  float *x_ = nullptr, *y_ = nullptr;
};

TEST_F(MublasLegacy, ResultsAreReturned) {
  EXPECT_EQ(mublasSdot(16, x_, 1, y_, 1), 1496);
  EXPECT_EQ(mublasSasum(16, x_, 1), 136);
  EXPECT_EQ(mublasIsamax(16, x_, 1), 16);
  EXPECT_EQ(mublasIsamin(16, x_, 1), 1);
  const muComplex product =
      mublasCdotc(8, reinterpret_cast<muComplex*>(x_), 1, reinterpret_cast<muComplex*>(y_), 1);
  EXPECT_EQ(product.x, 1496);
  EXPECT_EQ(product.y, 0);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
}

TEST_F(MublasLegacy, LettersOfEitherCaseAndFactorsByValue) {
  mublasSaxpy(16, 2, x_, 1, y_, 1);
  EXPECT_EQ(fetch(y_)[4], 15);
  mublasSgemm('n', 'T', 4, 4, 4, 1, x_, 4, x_, 4, 0, y_, 4);
  EXPECT_EQ(fetch(y_)[0], 1 + 25 + 81 + 169);
  mublasSgemm('C', 'N', 4, 4, 4, 1, x_, 4, x_, 4, 0, y_, 4);
  EXPECT_EQ(fetch(y_)[0], 1 + 4 + 9 + 16);
  mublasSgemv('t', 4, 4, 1, x_, 4, x_, 1, 0, y_, 1);
  EXPECT_EQ(fetch(y_)[0], 1 + 4 + 9 + 16);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
}

// As BLAS's, the triangle's product has the place of what it is multiplied with.
TEST_F(MublasLegacy, TrianglesMultiplyInPlace) {
  mublasStrmm('L', 'u', 'N', 'n', 4, 4, 1, x_, 4, y_, 4);
  EXPECT_EQ(fetch(y_)[0], 1 * 1 + 5 * 2 + 9 * 3 + 13 * 4);
  mublasStrsm('l', 'U', 'n', 'N', 4, 4, 1, x_, 4, y_, 4);
  EXPECT_EQ(fetch(y_)[0], 1);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
}

// As recorded on a GPU.
TEST_F(MublasLegacy, TheLastCallsErrorIsToldOnce) {
  mublasSgemm('q', 'N', 4, 4, 4, 1, x_, 4, x_, 4, 0, y_, 4);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
  mublasSgemm('t', 'c', 4, 4, 4, 1, x_, 3, x_, 4, 0, y_, 4);
  mublasSscal(4, 1, x_, 1);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
  mublasSgemm('t', 'c', -1, 4, 4, 1, x_, 4, x_, 4, 0, y_, 4);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_INVALID_VALUE);
  for (const char* letters : {"xnln", "lxln", "lnxn", "lnlx"}) {
    mublasStrmm(letters[0], letters[2], letters[1], letters[3], 4, 4, 1, x_, 4, y_, 4);
    EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_INVALID_VALUE) << letters;
  }
  mublasSscal(4, 1, x_, 0);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSdot(0, x_, 1, x_, 1), 0);
  EXPECT_EQ(mublasIsamax(-1, x_, 1), 0);
}

TEST_F(MublasLegacy, Memory) {
  void* memory = nullptr;
  EXPECT_EQ(mublasAlloc(0, 4, &memory), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasAlloc(4, -1, &memory), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasAlloc(1 << 30, 1 << 20, &memory), MUBLAS_STATUS_ALLOC_FAILED);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasFree(nullptr), MUBLAS_STATUS_SUCCESS);
}

TEST_F(MublasLegacy, AfterShutdownAllGoesOn) {
  EXPECT_EQ(mublasInit(), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasShutdown(), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasShutdown(), MUBLAS_STATUS_SUCCESS);
  mublasSscal(16, 2, x_, 1);
  EXPECT_EQ(mublasGetError(), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(fetch(x_)[15], 32);
}

// A source in C of the same program has the same handle and error.
extern "C" float legacyNormInC(const float* x, int n);

TEST_F(MublasLegacy, SourcesShareTheState) {
  EXPECT_EQ(legacyNormInC(x_, 2), std::sqrt(5.0F));
  EXPECT_EQ(legacyNormInC(x_, -2), 0);
  mublasSgemm('q', 'N', 4, 4, 4, 1, x_, 4, x_, 4, 0, y_, 4);
  EXPECT_EQ(legacyNormInC(nullptr, 0), -1);  // which asks for the error
}

}  // namespace
