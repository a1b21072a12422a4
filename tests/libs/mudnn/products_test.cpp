// musa::dnn::MatMul, BatchMatMul and Dot against sums in double.
#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;
constexpr int64_t kM = 5, kN = 7, kK = 9;

// a is kM x kK, b kK x kN, or turned.
Numbers product(const Numbers& a, const Numbers& b, bool turnsA, bool turnsB) {
  Numbers out(kM * kN);
  for (int64_t i = 0; i < kM; ++i)
    for (int64_t j = 0; j < kN; ++j)
      for (int64_t k = 0; k < kK; ++k)
        out[static_cast<size_t>(i * kN + j)] += a[static_cast<size_t>(turnsA ? k * kM + i : i * kK + k)] *
                                                b[static_cast<size_t>(turnsB ? j * kK + k : k * kN + j)];
  return out;
}

template <class T>
class ProductsTest : public testing::Test {
 protected:
  dnn::Handle handle;
};
using Floats = testing::Types<float, double, __half, __mt_bfloat16>;
TYPED_TEST_SUITE(ProductsTest, Floats);

TYPED_TEST(ProductsTest, TransposesFactorsAndBiases) {
  using T = TypeParam;
  const auto c = randoms<T>({kM, kN}, 3), bias = randoms<T>({kN}, 4);
  Device<T> dc({kM, kN}, c), dBias({kN}, bias);
  for (int turns = 0; turns < 4; ++turns) {
    const bool turnsA = turns & 1, turnsB = turns & 2;
    const Sizes sizesA = turnsA ? Sizes{kK, kM} : Sizes{kM, kK},
                sizesB = turnsB ? Sizes{kN, kK} : Sizes{kK, kN};
    const auto a = randoms<T>(sizesA, 1), b = randoms<T>(sizesB, 2);
    const Numbers sums = product(a, b, turnsA, turnsB);
    Device<T> da(sizesA, a), db(sizesB, b), out({kM, kN}, c);
    dnn::MatMul op;
    ASSERT_DNN(op.SetComputeMode(dnn::MatMul::ComputeMode::TENSOR));
    ASSERT_DNN(op.SetTranspose(turnsA, turnsB));
    ASSERT_DNN(op.Run(this->handle, out.tensor, da.tensor, db.tensor));
    expectNear(sums, out.fetch(), tolerance<T>());
    ASSERT_DNN(op.RunWithBiasAdd(this->handle, out.tensor, da.tensor, db.tensor, dBias.tensor));
    Numbers right(sums);
    for (size_t i = 0; i < right.size(); ++i) right[i] += bias[i % kN];
    expectNear(right, out.fetch(), tolerance<T>());
    ASSERT_DNN(op.SetAlpha(2));
    ASSERT_DNN(op.SetBeta(0.5));
    ASSERT_DNN(op.SetGamma(-3));
    ASSERT_DNN(op.RunWithBiasAdd(this->handle, out.tensor, da.tensor, db.tensor, dc.tensor, dBias.tensor));
    for (size_t i = 0; i < right.size(); ++i) right[i] = 2 * sums[i] + 0.5 * c[i] - 3 * bias[i % kN];
    expectNear(right, out.fetch(), tolerance<T>());
    ASSERT_DNN(op.RunWithBiasAdd(this->handle, out.tensor, da.tensor, db.tensor, dc.tensor, Tensor()));
    for (size_t i = 0; i < right.size(); ++i) right[i] = 2 * sums[i] + 0.5 * c[i];
    expectNear(right, out.fetch(), tolerance<T>());
  }
}

TYPED_TEST(ProductsTest, BatchesBroadcastAndStridesAreAny) {
  using T = TypeParam;
  const auto a = randoms<T>({3, kM, kK}, 1), b = randoms<T>({kK, kN}, 2);
  Numbers right;
  for (int64_t i = 0; i < 3; ++i) {
    const Numbers one =
        product(Numbers(a.begin() + i * kM * kK, a.begin() + (i + 1) * kM * kK), b, false, false);
    right.insert(right.end(), one.begin(), one.end());
  }
  Device<T> da({3, kM, kK}, a), db({1, kK, kN}, b), out({3, kM, kN});
  dnn::BatchMatMul op;
  ASSERT_DNN(op.Run(this->handle, out.tensor, da.tensor, db.tensor));
  expectNear(right, out.fetch(), tolerance<T>());
  // One matrix for all by a stride of zero.
  ASSERT_DNN(db.tensor.SetNdInfo({3, kK, kN}, {0, kN, 1}));
  ASSERT_DNN(op.Run(this->handle, out.tensor, da.tensor, db.tensor));
  expectNear(right, out.fetch(), tolerance<T>());
}

TYPED_TEST(ProductsTest, VectorsAndDots) {
  using T = TypeParam;
  const auto a = randoms<T>({kM, kK}, 1), v = randoms<T>({kK}, 2);
  Numbers right(kM);
  for (size_t i = 0; i < a.size(); ++i) right[i / kK] += a[i] * v[i % kK];
  Device<T> da({kM, kK}, a), dv({kK}, v), out({kM}), one({1});
  ASSERT_DNN(dnn::MatMul().Run(this->handle, out.tensor, da.tensor, dv.tensor));
  expectNear(right, out.fetch(), tolerance<T>());
  double sum = 0;
  for (const double x : v) sum += x * x;
  ASSERT_DNN(dnn::Dot().Run(this->handle, one.tensor, dv.tensor, dv.tensor));
  expectNear({sum}, one.fetch(), tolerance<T>());
  EXPECT_EQ(Status::INVALID_PARAMETER, dnn::Dot().Run(this->handle, out.tensor, dv.tensor, dv.tensor));
  EXPECT_EQ(Status::INVALID_PARAMETER, dnn::MatMul().Run(this->handle, out.tensor, dv.tensor, da.tensor));
}

TEST(ProductsLtTest, ScalesEpiloguesAndLargest) {
  using Epilogue = dnn::MatMulLtParam::MatMulLtEpilogueMode;
  const auto a = randoms<float>({kM, kK}, 1), b = randoms<float>({kK, kN}, 2), bias = randoms<float>({kN}, 3);
  const auto rows = randoms<float>({kM}, 4, 0.5, 2), columns = randoms<float>({kN}, 5, 0.5, 2);
  const Numbers sums = product(a, b, false, false);
  Device<float> da({kM, kK}, a), db({kK, kN}, b), dBias({kN}, bias), dRows({kM}, rows),
      dColumns({kN}, columns), dOut({1}, {3}), amax({1}), out({kM, kN});
  dnn::Handle handle;
  for (const Epilogue epilogue : {Epilogue::MATMULLT_EPILOGUE_DEFAULT, Epilogue::MATMULLT_EPILOGUE_RELU,
                                  Epilogue::MATMULLT_EPILOGUE_BIAS, Epilogue::MATMULLT_EPILOGUE_RELU_BIAS,
                                  Epilogue::MATMULLT_EPILOGUE_GELU, Epilogue::MATMULLT_EPILOGUE_GELU_BIAS}) {
    const bool relu =
        epilogue == Epilogue::MATMULLT_EPILOGUE_RELU || epilogue == Epilogue::MATMULLT_EPILOGUE_RELU_BIAS;
    const bool gelu =
        epilogue == Epilogue::MATMULLT_EPILOGUE_GELU || epilogue == Epilogue::MATMULLT_EPILOGUE_GELU_BIAS;
    dnn::MatMulLtParam param;
    ASSERT_DNN(param.SetEpilogue(epilogue));
    ASSERT_DNN(param.SetScale(dRows.tensor, dColumns.tensor, Tensor(), dOut.tensor));
    ASSERT_DNN(param.SetAmaxD(amax.tensor));
    ASSERT_DNN(
        dnn::BatchMatMul().RunLt(handle, out.tensor, da.tensor, db.tensor, out.tensor, dBias.tensor, param));
    Numbers right(sums);
    double largest = 0;
    for (size_t i = 0; i < right.size(); ++i) {
      double x = sums[i] * rows[i / kN] * columns[i % kN] + bias[i % kN];
      if (relu) x = std::max(x, 0.0);
      if (gelu) x = x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
      largest = std::max(largest, std::abs(x));
      right[i] = 3 * x;
    }
    expectNear(right, out.fetch(), 4e-6);
    expectNear({largest}, amax.fetch(), 4e-6);
  }
}

// More products than floats add exactly; quantised results are rounded and saturate.
TEST(ProductsIntegerTest, ExactAndQuantised) {
  constexpr int64_t kTerms = 2001;
  const auto a = randoms<int8_t>({2, kTerms}, 1, 100, 127), b = randoms<int8_t>({3, kTerms}, 2, -128, -90);
  Numbers sums(6);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < kTerms; ++k) sums[i * 3 + j] += a[i * kTerms + k] * b[j * kTerms + k];
  Device<int8_t> da({2, kTerms}, a), db({3, kTerms}, b), narrow({2, 3});
  Device<int32_t> out({2, 3});
  dnn::Handle handle;
  dnn::MatMul op;
  ASSERT_DNN(op.SetTranspose(false, true));
  ASSERT_DNN(op.Run(handle, out.tensor, da.tensor, db.tensor));
  EXPECT_EQ(sums, out.fetch());
  for (Tensor* tensor : {&da.tensor, &db.tensor, &narrow.tensor}) {
    ASSERT_DNN(tensor->SetType(Type::QINT8));
    ASSERT_DNN(tensor->SetQuantizationInfo(0.25F));
  }
  ASSERT_DNN(narrow.tensor.SetQuantizationInfo(0x1p14F));
  ASSERT_DNN(op.Run(handle, narrow.tensor, da.tensor, db.tensor));
  for (double& value : sums) value = std::nearbyint(value * 0.0625 * 0x1p-14);
  EXPECT_EQ(sums, narrow.fetch());
}

}  // namespace
}  // namespace musashim::test
