// Settings of musa::dnn that change nothing, types and formats that other tests have not.
#include <utility>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

// A tensor of bytes that are read as `type`.
template <class Bits>
void expectNumbers(Type type, const std::vector<Bits>& bits, const Numbers& right) {
  dnn::Handle handle;
  void* memory = nullptr;
  ASSERT_EQ(musaSuccess, musaMalloc(&memory, bits.size() * sizeof(Bits)));
  ASSERT_EQ(musaSuccess, musaMemcpy(memory, bits.data(), bits.size() * sizeof(Bits), musaMemcpyHostToDevice));
  const Sizes sizes{static_cast<int64_t>(bits.size())};
  Tensor in;
  ASSERT_DNN(in.SetType(type));
  ASSERT_DNN(in.SetAddr(memory));
  ASSERT_DNN(in.SetNdInfo(1, sizes.data()));
  Device<double> out(sizes);
  dnn::Unary op;
  ASSERT_DNN(op.SetMode(dnn::Unary::Mode::CAST));
  ASSERT_DNN(op.Run(handle, out.tensor, in));
  EXPECT_EQ(right, out.fetch());
  // And back.
  ASSERT_EQ(musaSuccess, musaMemset(memory, 0x5a, bits.size() * sizeof(Bits)));
  ASSERT_DNN(op.Run(handle, in, out.tensor));
  std::vector<Bits> again(bits.size());
  ASSERT_EQ(musaSuccess, musaDeviceSynchronize());
  ASSERT_EQ(musaSuccess,
            musaMemcpy(again.data(), memory, bits.size() * sizeof(Bits), musaMemcpyDeviceToHost));
  EXPECT_EQ(bits, again);
  EXPECT_EQ(musaSuccess, musaFree(memory));
}

TEST(ModesTest, TypesOfUnsignedAndOfEightBitFloats) {
  expectNumbers<uint16_t>(Type::UINT16, {0, 1, 0x8000, 0xffff}, {0, 1, 32768, 65535});
  expectNumbers<uint32_t>(Type::UINT32, {0, 1, 0x80000000U, 0xffffffffU}, {0, 1, 2147483648.0, 4294967295.0});
  // Of 4 and of 5 bits of exponent: 1, -1.5, the largest, the least.
  expectNumbers<uint8_t>(Type::FP8_E4M3, {0x38, 0xbc, 0x7e, 0x01}, {1, -1.5, 448, 0x1p-9});
  expectNumbers<uint8_t>(Type::FP8_E5M2, {0x3c, 0xbe, 0x7b, 0x01}, {1, -1.5, 57344, 0x1p-16});
}

// Of 1, 2 and 3 dimensions by their formats, by every way of computing.
TEST(ModesTest, FormatsAndComputeModesOfConvolutions) {
  using Convolution = dnn::Convolution;
  using Format = Tensor::Format;
  dnn::Handle handle;
  const std::pair<Format, int> formats[] = {{Format::NCW, 1}, {Format::NCHW, 2}, {Format::NCDHW, 3}};
  for (const auto& [format, places] : formats) {
    Sizes sizesX{1, 2}, sizesW{1, 2}, sizesY{1, 1};
    for (int d = 0; d < places; ++d) {
      sizesX.push_back(3);
      sizesW.push_back(2);
      sizesY.push_back(2);
    }
    const auto x = randoms<float>(sizesX, 1), w = randoms<float>(sizesW, 2);
    const int64_t inPlaces = countOf(sizesX) / 2, wPlaces = countOf(sizesW) / 2, outPlaces = countOf(sizesY);
    Numbers y(static_cast<size_t>(outPlaces));
    for (int64_t o = 0; o < outPlaces; ++o)
      for (int64_t c = 0; c < 2; ++c)
        for (int64_t f = 0; f < wPlaces; ++f) {
          int64_t at = 0;  // o and f have a bit for each dimension
          for (int d = places; d-- > 0;) at = at * 3 + (o >> d & 1) + (f >> d & 1);
          y[static_cast<size_t>(o)] +=
              x[static_cast<size_t>(c * inPlaces + at)] * w[static_cast<size_t>(c * wPlaces + f)];
        }
    Device<float> in(sizesX, x), filter(sizesW, w), out(sizesY);
    for (Tensor* tensor : {&in.tensor, &filter.tensor, &out.tensor}) ASSERT_DNN(tensor->SetFormat(format));
    const int pads[3] = {0, 0, 0}, ones[3] = {1, 1, 1};
    for (const auto mode : {Convolution::ComputeMode::SCALAR, Convolution::ComputeMode::TENSOR,
                            Convolution::ComputeMode::ALL}) {
      Convolution op;
      ASSERT_DNN(op.SetNdInfo(places, pads, ones, ones));
      ASSERT_DNN(op.SetComputeMode(mode));
      ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, filter.tensor, Convolution::Algorithm::IMPLICIT_GEMM));
      expectNear(y, out.fetch(), tolerance<float>());
      // One type for all classes.
      dnn::BatchMatMul product;
      ASSERT_DNN(product.SetComputeMode(mode));
      ASSERT_DNN(dnn::Dot().SetComputeMode(mode));
      ASSERT_DNN(dnn::ScaledDotProductAttention().SetComputeMode(mode));
    }
    EXPECT_EQ(Status::INVALID_PARAMETER,
              Convolution().SetComputeMode(static_cast<Convolution::ComputeMode>(7)));
  }
}

TEST(ModesTest, SettingsThatChangeNothing) {
  using VarMode = dnn::LayerNorm::VarMode;
  dnn::Handle handle;
  const Numbers x{1, 2, 3, 6};
  Device<float> in({1, 4}, x), out({1, 4}), mean({1}), deviation({1});
  const int axis = 1;
  for (const VarMode mode : {VarMode::DIRECT, VarMode::WELFORD}) {
    dnn::LayerNorm op;
    ASSERT_DNN(op.SetAxis(1, &axis));
    ASSERT_DNN(op.SetEpsilon(0));
    ASSERT_DNN(op.SetVarMode(mode));
    ASSERT_DNN(op.Run(handle, out.tensor, mean.tensor, deviation.tensor, in.tensor, Tensor(), Tensor()));
    Numbers right;
    for (const double value : x) right.push_back((value - 3) / std::sqrt(3.5));
    expectNear(right, out.fetch(), tolerance<float>());
  }
  Device<double> a({1, 2, 2}, {1, 2, 3, 4}), product({1, 2, 2});
  for (const bool deterministic : {false, true}) {
    dnn::BatchMatMul op;
    ASSERT_DNN(op.SetDeterministic(deterministic));
    ASSERT_DNN(op.Run(handle, product.tensor, a.tensor, a.tensor));
    EXPECT_EQ((Numbers{7, 10, 15, 22}), product.fetch());
  }
}

}  // namespace
}  // namespace musashim::test
