// muBLASLt against products and epilogues written out; inputs are small integers, whose sums are exact.
#include <musa_fp8.h>

#include <cmath>
#include <string>

#include "mublasLt/support.h"

namespace musashim::test {
namespace {

constexpr int kM = 24, kN = 17, kK = 32;

TEST_F(MublasLtTest, OrdersTransposesAndBatches) {
  constexpr int kCount = 3;
  const auto a = integers<float>(kCount * kM * kK, 1), b = integers<float>(kCount * kK * kN, 2),
             c = integers<float>(kCount * kM * kN, 3);
  const OnDevice<float> da(a), db(b), dc(c), dd(c);
  for (int form = 0; form < 64; ++form) {
    const bool turnsA = form & 1, turnsB = form & 2, aRows = form & 4, bRows = form & 8, cRows = form & 16,
               dRows = form & 32;
    const auto layoutOf = [&](int rows, int columns, bool byRows, int64_t stride) {
      Layout layout(MUSA_R_32F, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns),
                    byRows ? columns : rows);
      layout.set(MUBLASLT_MATRIX_LAYOUT_ORDER,
                 static_cast<int32_t>(byRows ? MUBLASLT_ORDER_ROW : MUBLASLT_ORDER_COL));
      layout.set(MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t{kCount});
      layout.set(MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
      return layout;
    };
    Layout la = layoutOf(turnsA ? kK : kM, turnsA ? kM : kK, aRows, kM * kK);
    Layout lb = layoutOf(turnsB ? kN : kK, turnsB ? kK : kN, bRows, 0);
    Layout lc = layoutOf(kM, kN, cRows, kM * kN), ld = layoutOf(kM, kN, dRows, kM * kN);
    Operation operation(MUBLAS_COMPUTE_32F, MUSA_R_32F);
    operation.set(MUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(turnsA ? MUBLAS_OP_T : MUBLAS_OP_N));
    operation.set(MUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(turnsB ? MUBLAS_OP_C : MUBLAS_OP_N));
    const float alpha = 2, beta = 3;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                multiply(operation, &alpha, da.get(), la, db.get(), lb, &beta, dc.get(), lc, dd.get(), ld));
    const auto got = dd.fetch();
    const auto at = [](int row, int column, int rows, int columns, bool byRows) {
      return static_cast<size_t>(byRows ? row * columns + column : column * rows + row);
    };
    for (int i = 0; i < kCount; ++i)
      for (int row = 0; row < kM; ++row)
        for (int column = 0; column < kN; ++column) {
          float sum = 0;
          for (int k = 0; k < kK; ++k)
            sum += a[static_cast<size_t>(i * kM * kK) +
                     (turnsA ? at(k, row, kK, kM, aRows) : at(row, k, kM, kK, aRows))] *
                   b[turnsB ? at(column, k, kN, kK, bRows) : at(k, column, kK, kN, bRows)];
          const size_t batch = static_cast<size_t>(i * kM * kN);
          ASSERT_EQ(2 * sum + 3 * c[batch + at(row, column, kM, kN, cRows)],
                    got[batch + at(row, column, kM, kN, dRows)])
              << form << ": " << i << ", " << row << ", " << column;
        }
  }
}

// One product of halves with every epilogue, written out in double.
TEST_F(MublasLtTest, Epilogues) {
  const auto a = integers<__half>(kM * kK, 1), b = integers<__half>(kK * kN, 2),
             c = integers<__half>(kM * kN, 3), bias = integers<__half>(kM, 4);
  const auto number = [](__half x) { return static_cast<double>(static_cast<float>(x)); };
  constexpr int kLd = 128;
  const auto inputs = integers<__half>(kLd * kN, 5, 2);
  for (const uint32_t epilogue : {1, 2, 4, 6, 130, 134, 136, 152, 32, 36, 160, 164, 192, 208, 256, 512}) {
    const OnDevice<__half> da(a), db(b), dc(c), dd(c), dBias(bias), dAux(inputs);
    Layout la(MUSA_R_16F, kM, kK, kM), lb(MUSA_R_16F, kN, kK, kK), lc(MUSA_R_16F, kM, kN, kM);
    lb.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(MUBLASLT_ORDER_ROW));  // so that it is turned
    Operation operation(MUBLAS_COMPUTE_32F, MUSA_R_32F);
    operation.set(MUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(MUBLAS_OP_T));
    operation.set(MUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    if (epilogue & (4 | 16 | 256 | 512)) operation.set(MUBLASLT_MATMUL_DESC_BIAS_POINTER, dBias.get());
    if (epilogue & 128) operation.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, dAux.get());
    operation.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{kLd});
    const float alpha = 1, beta = 2;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                multiply(operation, &alpha, da.get(), la, db.get(), lb, &beta, dc.get(), lc, dd.get(), lc));
    const auto got = dd.fetch(), gotBias = dBias.fetch(), gotAux = dAux.fetch();
    const auto bit = [&](const std::vector<__half>& aux, int row, int column) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(aux.data());
      return (bytes[(column * kLd + row) / 8] >> (row % 8) & 1) != 0;
    };
    std::vector<double> sums(std::max(kM, kN), 0);
    for (int column = 0; column < kN; ++column)
      for (int row = 0; row < kM; ++row) {
        double x = 2 * number(c[static_cast<size_t>(column * kM + row)]);
        for (int k = 0; k < kK; ++k)
          x += number(a[static_cast<size_t>(k * kM + row)]) * number(b[static_cast<size_t>(column * kK + k)]);
        if (epilogue & 4) x += number(bias[static_cast<size_t>(row)]);
        const auto auxAt = static_cast<size_t>(column * kLd + row);
        if (epilogue & 2) {
          if (epilogue & 128) ASSERT_EQ(x >= 0, bit(gotAux, row, column)) << epilogue;
          x = std::max(x, 0.0);
        }
        if (epilogue & 32) {
          if (epilogue & 128) ASSERT_EQ(x, number(gotAux[auxAt])) << epilogue;
          x = x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        }
        if (epilogue & 8) x = bit(inputs, row, column) ? x : 0;
        if (epilogue & 64) {
          const double h = 1e-5, y = number(inputs[auxAt]);
          const auto gelu = [](double z) {
            return z / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (z + 0.044715 * z * z * z)));
          };
          x *= (gelu(y + h) - gelu(y - h)) / (2 * h);
        }
        sums[static_cast<size_t>(row)] += x;
        ASSERT_NEAR(x, number(got[static_cast<size_t>(column * kM + row)]), 1e-3 * std::abs(x) + 1e-3)
            << epilogue;
      }
    if (epilogue & 16)
      for (size_t row = 0; row < kM; ++row)
        ASSERT_NEAR(sums[row], number(gotBias[row]), 2e-3 * std::abs(sums[row]) + 0.1) << epilogue;
    if (epilogue == 256)
      for (size_t row = 0; row < kM; ++row) {
        double sum = 0;
        for (size_t k = 0; k < kK; ++k) sum += number(a[k * kM + row]);
        ASSERT_EQ(sum, number(gotBias[row]));
      }
    if (epilogue == 512)
      for (size_t column = 0; column < kN; ++column) {
        double sum = 0;
        for (size_t k = 0; k < kK; ++k) sum += number(b[column * kK + k]);
        ASSERT_EQ(sum, number(gotBias[column]));
      }
  }
}

TEST_F(MublasLtTest, IntegersSaturate) {
  const auto a = integers<int8_t>(kM * kK, 1, 100), b = integers<int8_t>(kK * kN, 2, 100),
             c = integers<int8_t>(kM * kN, 3, 100);
  const OnDevice<int8_t> da(a), db(b), dc(c);
  Layout la(MUSA_R_8I, kM, kK, kM), lb(MUSA_R_8I, kK, kN, kK), lc(MUSA_R_8I, kM, kN, kM);
  Operation operation(MUBLAS_COMPUTE_32I, MUSA_R_32F);
  const float alpha = 1.0f / 256, beta = 0.5f;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              multiply(operation, &alpha, da.get(), la, db.get(), lb, &beta, dc.get(), lc, dc.get(), lc));
  const auto got = dc.fetch();
  bool saturates = false;
  for (size_t column = 0; column < kN; ++column)
    for (size_t row = 0; row < kM; ++row) {
      int sum = 0;
      for (size_t k = 0; k < kK; ++k) sum += a[k * kM + row] * b[column * kK + k];
      const float x = std::nearbyint(alpha * static_cast<float>(sum) + beta * c[column * kM + row]);
      saturates = saturates || std::abs(x) > 128;
      ASSERT_EQ(std::clamp(x, -128.0f, 127.0f), got[column * kM + row]);
    }
  EXPECT_TRUE(saturates);
}

TEST_F(MublasLtTest, EightBitFloatsWithScales) {
  constexpr int kSize = 16;
  const auto a = integers<__mt_fp8_e4m3>(kSize * kSize, 1), b = integers<__mt_fp8_e4m3>(kSize * kSize, 2);
  const OnDevice<__mt_fp8_e4m3> da(a), db(b), dd(a);
  const OnDevice<__half> dc(std::vector<__half>(kSize * kSize));
  const OnDevice<float> scales(std::vector<float>{2, 0.5f, 0.25f}), largest(std::vector<float>{0});
  Layout l8(MUSA_R_8F_E4M3, kSize, kSize, kSize), l16(MUSA_R_16F, kSize, kSize, kSize);
  Operation operation(MUBLAS_COMPUTE_32F, MUSA_R_32F);
  operation.set(MUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(MUBLAS_OP_T));
  operation.set(MUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales.get())
      .set(MUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales.get() + 1);
  operation.set(MUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales.get() + 2)
      .set(MUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest.get());
  const float alpha = 1, beta = 0;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              multiply(operation, &alpha, da.get(), l8, db.get(), l8, &beta, dc.get(), l16, dd.get(), l8));
  const auto got = dd.fetch();
  float most = 0;
  for (size_t column = 0; column < kSize; ++column)
    for (size_t row = 0; row < kSize; ++row) {
      float sum = 0;
      for (size_t k = 0; k < kSize; ++k)
        sum += static_cast<float>(a[row * kSize + k]) * static_cast<float>(b[column * kSize + k]);
      most = std::max(most, std::abs(sum));
      ASSERT_EQ(static_cast<float>(__mt_fp8_e4m3(sum / 4)), static_cast<float>(got[column * kSize + row]));
    }
  EXPECT_EQ(most, largest.fetch()[0]);
}

TEST_F(MublasLtTest, VectorsOfFactors) {
  const auto a = integers<int8_t>(kM * kK, 1), b = integers<int8_t>(kK * kN, 2),
             c = integers<int8_t>(kM * kN, 3);
  const auto factors = integers<float>(kM, 4);
  const OnDevice<int8_t> da(a), db(b), dc(c), dd(c);
  const OnDevice<float> alpha(factors);
  Layout la(MUSA_R_8I, kM, kK, kM), lb(MUSA_R_8I, kK, kN, kK), lc(MUSA_R_8I, kM, kN, kM);
  const float beta = 2;
  Operation operation(MUBLAS_COMPUTE_32I, MUSA_R_32F);
  const auto set = [&](mublasLtPointerMode_t mode) {
    operation.set(MUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(mode));
    return multiply(operation, alpha.get(), da.get(), la, db.get(), lb, &beta, dc.get(), lc, dd.get(), lc);
  };
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, set(MUBLASLT_POINTER_MODE_DEVICE_VECTOR));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, set(MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST));
  const auto got = dd.fetch();
  for (size_t column = 0; column < kN; ++column)
    for (size_t row = 0; row < kM; ++row) {
      int sum = 0;
      for (size_t k = 0; k < kK; ++k) sum += a[k * kM + row] * b[column * kK + k];
      const float x = factors[row] * static_cast<float>(sum) + beta * c[column * kM + row];
      ASSERT_EQ(std::clamp(x, -128.0f, 127.0f), got[column * kM + row]);
    }
}

TEST_F(MublasLtTest, Transforms) {
  const auto a = integers<float>(kM * kN, 1), b = integers<float>(kM * kN, 2);
  const OnDevice<float> da(a), db(b), dc(a);
  Layout turned(MUSA_R_32F, kN, kM, kN), rows(MUSA_R_32F, kM, kN, kN);
  rows.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(MUBLASLT_ORDER_ROW));
  Layout columns(MUSA_R_32F, kM, kN, kM);
  mublasLtMatrixTransformDescOpaque_t transform;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatrixTransformDescInit(&transform, MUSA_R_32F));
  const int32_t turn = MUBLAS_OP_T;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasLtMatrixTransformDescSetAttribute(&transform, MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
                                                      &turn, sizeof turn));
  const float alpha = 2, beta = 3;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasLtMatrixTransform(handle_, &transform, &alpha, da.get(), &turned.memory, &beta, db.get(),
                                      &rows.memory, dc.get(), &columns.memory, nullptr));
  const auto got = dc.fetch();
  for (size_t column = 0; column < kN; ++column)
    for (size_t row = 0; row < kM; ++row)
      ASSERT_EQ(2 * a[row * kN + column] + 3 * b[row * kN + column], got[column * kM + row]);
}

// A number that a program keeps is one of the algorithm's names.
TEST_F(MublasLtTest, NumbersOfAlgorithms) {
  const auto init = [&](int id, mublasLtMatmulAlgo_t* algorithm) {
    const auto type = MUSA_R_64F;
    return mublasLtMatmulAlgoInit(handle_, MUBLAS_COMPUTE_64F, type, type, type, type, type, id, algorithm);
  };
  mublasLtMatmulAlgo_t algorithm;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, init(10, &algorithm));
  int32_t id = -1;
  size_t written = 0;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatmulAlgoConfigGetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_ID,
                                                                          &id, sizeof id, &written));
  EXPECT_EQ(id, 10);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, init(12345, &algorithm));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, init(-1, &algorithm));
}

std::string logged;
void keep(int /*level*/, const char* function, const char* message) {
  logged += std::string(function) + ": " + message + "\n";
}

TEST_F(MublasLtTest, HandlesOfMublasAndTheLog) {
  mublasHandle_t blas = nullptr;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCreate(&blas));
  const auto lt = reinterpret_cast<mublasLtHandle_t>(blas);
  int ids[4], count = 0;
  const auto ask = [&](mublasLtHandle_t handle, musaDataType type) {
    return mublasLtMatmulAlgoGetIds(handle, MUBLAS_COMPUTE_32F, MUSA_R_32F, type, type, type, type, 4, ids,
                                    &count);
  };
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, ask(lt, MUSA_R_32F));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDestroy(blas));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, ask(lt, MUSA_R_32F));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtLoggerSetFile(nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtLoggerSetCallback(keep));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtLoggerSetLevel(1));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, ask(handle_, MUSA_R_32F));
  EXPECT_EQ("", logged);  // errors alone
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, ask(handle_, MUSA_R_64F));
  EXPECT_NE(std::string::npos, logged.find("mublasLtMatmulAlgoGetIds")) << logged;
  EXPECT_NE(std::string::npos, logged.find("CUBLAS_STATUS_NOT_SUPPORTED")) << logged;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtLoggerSetLevel(0));
}

}  // namespace
}  // namespace musashim::test
