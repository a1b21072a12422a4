// Handles, descriptors, and operations on tensors by the C interface.
#include <algorithm>
#include <cstring>

#include "mudnn/c_support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

class CTensorsTest : public CInterfaceTest {};

TEST_F(CTensorsTest, HandlesVersionsAndTexts) {
  EXPECT_EQ(static_cast<size_t>(MUDNN_VERSION), mudnnGetVersion());
  EXPECT_LT(4000U, mudnnGetMusartVersion());
  int major = 0;
  ASSERT_C(mudnnGetProperty(MAJOR_VERSION, &major));
  EXPECT_EQ(MUDNN_MAJOR, major);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnGetProperty(MAJOR_VERSION, nullptr));
  EXPECT_STREQ("MUDNN_STATUS_NOT_SUPPORTED", mudnnGetErrorString(MUDNN_STATUS_NOT_SUPPORTED));
  musaStream_t stream = nullptr, got = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamCreate(&stream));
  ASSERT_C(mudnnSetStream(handle, stream));
  ASSERT_C(mudnnGetStream(handle, &got));
  EXPECT_EQ(stream, got);
  ASSERT_C(mudnnSetStream(handle, nullptr));
  ASSERT_EQ(musaSuccess, musaStreamDestroy(stream));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnCreate(nullptr));
  EXPECT_EQ(MUDNN_STATUS_SUCCESS, mudnnDestroy(nullptr));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetStream(nullptr, nullptr));
}

TEST_F(CTensorsTest, DescriptorsTellWhatTheyWereGiven) {
  mudnnTensorDescriptor_t tensor = nullptr;
  mudnnFilterDescriptor_t filter = nullptr;
  ASSERT_C(mudnnCreateTensorDescriptor(&tensor));
  ASSERT_C(mudnnCreateFilterDescriptor(&filter));
  size_t size = 0;
  ASSERT_C(mudnnGetTensorSizeInBytes(tensor, &size));
  EXPECT_EQ(0U, size);
  ASSERT_C(mudnnSetTensor4dDescriptor(tensor, MUDNN_TENSOR_NHWC, MUDNN_DATA_HALF, 2, 3, 4, 5));
  mudnnDataType_t type{};
  int all[8] = {};
  ASSERT_C(mudnnGetTensor4dDescriptor(tensor, &type, all, all + 1, all + 2, all + 3, all + 4, all + 5,
                                      all + 6, all + 7));
  EXPECT_EQ(MUDNN_DATA_HALF, type);
  EXPECT_EQ((std::vector<int>{2, 3, 4, 5, 60, 1, 15, 3}), std::vector<int>(all, all + 8));
  ASSERT_C(mudnnGetTensorSizeInBytes(tensor, &size));
  EXPECT_EQ(240U, size);
  ASSERT_C(mudnnSetTensor4dDescriptorEx(tensor, MUDNN_DATA_FLOAT, 2, 1, 2, 2, 100, 50, 10, 3));
  ASSERT_C(mudnnGetTensorSizeInBytes(tensor, &size));
  EXPECT_EQ(114U * 4, size);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnSetTensor4dDescriptor(tensor, MUDNN_TENSOR_NCHW, MUDNN_DATA_FLOAT, 0, 1, 1, 1));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetTensor4dDescriptor(tensor, MUDNN_TENSOR_NCHW,
                                                               static_cast<mudnnDataType_t>(99), 1, 1, 1, 1));
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED,
            mudnnSetTensor4dDescriptor(tensor, MUDNN_TENSOR_NCHW, MUDNN_DATA_FLOAT, 1 << 16, 1 << 16, 1, 1));
  const int nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, mudnnSetTensorNdDescriptor(tensor, MUDNN_DATA_FLOAT, 9, nine, nine));
  ASSERT_C(mudnnSetFilter4dDescriptor(filter, MUDNN_DATA_DOUBLE, MUDNN_TENSOR_NHWC, 5, 4, 3, 2));
  mudnnTensorFormat_t format{};
  ASSERT_C(mudnnGetFilter4dDescriptor(filter, &type, &format, all, all + 1, all + 2, all + 3));
  EXPECT_EQ(MUDNN_TENSOR_NHWC, format);
  EXPECT_EQ((std::vector<int>{5, 4, 3, 2}), std::vector<int>(all, all + 4));
  ASSERT_C(mudnnGetFilterSizeInBytes(filter, &size));
  EXPECT_EQ(960U, size);
  int rank = 0;
  ASSERT_C(mudnnGetFilterNdDescriptor(filter, 2, &type, &format, &rank, all));
  EXPECT_EQ(4, rank);
  ASSERT_C(mudnnDestroyTensorDescriptor(tensor));
  ASSERT_C(mudnnDestroyFilterDescriptor(filter));
}

TEST_F(CTensorsTest, Activations) {
  const Sizes sizes{2, 3, 4};
  const TensorDescriptor descriptor(MUDNN_DATA_FLOAT, sizes);
  const auto x = randoms<float>(sizes, 1, -3, 3), dy = randoms<float>(sizes, 2),
             before = randoms<float>(sizes, 3);
  mudnnActivationDescriptor_t activation = nullptr;
  ASSERT_C(mudnnCreateActivationDescriptor(&activation));
  const double a = 1.25;
  const auto f = [a](mudnnActivationMode_t mode, double v) {
    switch (mode) {
      case MUDNN_ACTIVATION_SIGMOID:
        return 1 / (1 + std::exp(-v));
      case MUDNN_ACTIVATION_RELU:
        return std::max(v, 0.0);
      case MUDNN_ACTIVATION_TANH:
        return std::tanh(v);
      case MUDNN_ACTIVATION_CLIPPED_RELU:
        return std::clamp(v, 0.0, a);
      case MUDNN_ACTIVATION_ELU:
        return v > 0 ? v : a * std::expm1(v);
      default:
        return v / (1 + std::exp(-v));
    }
  };
  for (const auto mode : {MUDNN_ACTIVATION_SIGMOID, MUDNN_ACTIVATION_RELU, MUDNN_ACTIVATION_TANH,
                          MUDNN_ACTIVATION_CLIPPED_RELU, MUDNN_ACTIVATION_ELU, MUDNN_ACTIVATION_SWISH}) {
    ASSERT_C(mudnnSetActivationDescriptor(activation, mode, MUDNN_PROPAGATE_NAN, a));
    Device<float> in(sizes, x), out(sizes, before), pure(sizes), grad(sizes, dy), gradIn(sizes);
    const float two = 2, half = 0.5F, one = 1, zero = 0;
    ASSERT_C(mudnnActivationForward(handle, activation, &two, descriptor, in.memory(), &half, descriptor,
                                    out.memory()));
    ASSERT_C(mudnnActivationForward(handle, activation, &one, descriptor, in.memory(), &zero, descriptor,
                                    pure.memory()));
    ASSERT_C(mudnnActivationBackward(handle, activation, &two, descriptor, pure.memory(), descriptor,
                                     grad.memory(), descriptor, in.memory(), &zero, descriptor,
                                     gradIn.memory()));
    Numbers right(x), gradient(x);
    for (size_t i = 0; i < x.size(); ++i) {
      right[i] = 2 * f(mode, x[i]) + before[i] / 2;
      gradient[i] = 2 * dy[i] * (f(mode, x[i] + 1e-6) - f(mode, x[i] - 1e-6)) / 2e-6;
    }
    expectNear(right, out.fetch(), tolerance<float>(), std::to_string(mode));
    expectNear(gradient, gradIn.fetch(), 4e-6, std::to_string(mode));
  }
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnSetActivationDescriptor(activation, static_cast<mudnnActivationMode_t>(9),
                                         MUDNN_PROPAGATE_NAN, 0));
  ASSERT_C(mudnnDestroyActivationDescriptor(activation));
}

TEST_F(CTensorsTest, Softmaxes) {
  const Sizes sizes{2, 3, 2, 2};
  const auto x = randoms<double>(sizes, 1, -2, 2), dy = randoms<double>(sizes, 2);
  for (const auto format : {MUDNN_TENSOR_NCHW, MUDNN_TENSOR_NHWC})
    for (const auto mode : {MUDNN_SOFTMAX_MODE_INSTANCE, MUDNN_SOFTMAX_MODE_CHANNEL})
      for (const auto algorithm : {MUDNN_SOFTMAX_FAST, MUDNN_SOFTMAX_ACCURATE, MUDNN_SOFTMAX_LOG}) {
        const TensorDescriptor descriptor(MUDNN_DATA_DOUBLE, sizes, format);
        const auto group = [&](size_t i) {
          if (mode == MUDNN_SOFTMAX_MODE_INSTANCE) return i / 12;
          return format == MUDNN_TENSOR_NCHW ? i / 12 * 4 + i % 4 : i / 3;
        };
        Numbers sums(8), weighted(8), y(x), right(x);
        for (size_t i = 0; i < x.size(); ++i) sums[group(i)] += std::exp(x[i]);
        for (size_t i = 0; i < x.size(); ++i) {
          const double soft = std::exp(x[i]) / sums[group(i)];
          y[i] = algorithm == MUDNN_SOFTMAX_LOG ? std::log(soft) : soft;
          weighted[group(i)] += dy[i] * (algorithm == MUDNN_SOFTMAX_LOG ? 1 : soft);
        }
        for (size_t i = 0; i < x.size(); ++i)
          right[i] = algorithm == MUDNN_SOFTMAX_LOG ? dy[i] - std::exp(y[i]) * weighted[group(i)]
                                                    : y[i] * (dy[i] - weighted[group(i)]);
        Device<double> in(sizes, x), out(sizes), grad(sizes, dy), gradIn(sizes);
        const double one = 1, zero = 0, two = 2;
        ASSERT_C(mudnnSoftmaxForward(handle, algorithm, mode, &one, descriptor, in.memory(), &zero,
                                     descriptor, out.memory()));
        expectNear(y, out.fetch(), 1e-13);
        ASSERT_C(mudnnSoftmaxBackward(handle, algorithm, mode, &two, descriptor, out.memory(), descriptor,
                                      grad.memory(), &zero, descriptor, gradIn.memory()));
        for (double& value : right) value *= 2;
        expectNear(right, gradIn.fetch(), 1e-13);
      }
}

TEST_F(CTensorsTest, SetScaleAddTransform) {
  const Sizes sizes{1, 2, 3};
  const TensorDescriptor rows(MUDNN_DATA_FLOAT, sizes), halves(MUDNN_DATA_HALF, sizes),
      column(MUDNN_DATA_FLOAT, {1, 2, 1});
  Device<float> tensor(sizes, {1, 2, 3, 4, 5, 6}), bias({1, 2, 1}, {10, 20});
  Device<__half> half(sizes);
  const float three = 3, two = 2, half2 = 0.5F, zero = 0;
  ASSERT_C(mudnnScaleTensor(handle, rows, tensor.memory(), &three));
  EXPECT_EQ((Numbers{3, 6, 9, 12, 15, 18}), tensor.fetch());
  ASSERT_C(mudnnAddTensor(handle, &two, column, bias.memory(), &half2, rows, tensor.memory()));
  EXPECT_EQ((Numbers{21.5, 23, 24.5, 46, 47.5, 49}), tensor.fetch());
  ASSERT_C(mudnnTransformTensor(handle, &two, rows, tensor.memory(), &zero, halves, half.memory()));
  EXPECT_EQ((Numbers{43, 46, 49, 92, 95, 98}), half.fetch());
  const __half value(1.5F);
  ASSERT_C(mudnnSetTensor(handle, halves, half.memory(), &value));
  EXPECT_EQ(Numbers(6, 1.5), half.fetch());
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetTensor(handle, halves, half.memory(), nullptr));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnAddTensor(handle, &two, halves, half.memory(), &half2, rows, tensor.memory()));
}

TEST_F(CTensorsTest, OperationsOnTensors) {
  const Sizes sizes{2, 2, 3}, small{1, 2, 1};
  const TensorDescriptor descriptor(MUDNN_DATA_FLOAT, sizes), smaller(MUDNN_DATA_FLOAT, small);
  const auto a = randoms<float>(sizes, 1, 0.5, 2), b = randoms<float>(small, 2), c = randoms<float>(sizes, 3);
  mudnnOpTensorDescriptor_t op = nullptr;
  ASSERT_C(mudnnCreateOpTensorDescriptor(&op));
  const float first = 2, second = 3, add = 0.5F;
  for (int kind = MUDNN_OP_TENSOR_ADD; kind <= MUDNN_OP_TENSOR_NOT; ++kind) {
    ASSERT_C(mudnnSetOpTensorDescriptor(op, static_cast<mudnnOpTensorOp_t>(kind), MUDNN_DATA_FLOAT,
                                        MUDNN_PROPAGATE_NAN));
    Device<float> da(sizes, a), db(small, b), dc(sizes, c);
    ASSERT_C(mudnnOpTensor(handle, op, &first, descriptor, da.memory(), &second, smaller, db.memory(), &add,
                           descriptor, dc.memory()));
    Numbers right(c);
    for (size_t i = 0; i < c.size(); ++i) {
      const double x = 2 * a[i], y = 3 * b[i / 3 % 2];
      const double values[] = {x + y, x * y, std::min(x, y), std::max(x, y), std::sqrt(x), 1 - x};
      right[i] = values[kind] + 0.5 * c[i];
    }
    expectNear(right, dc.fetch(), tolerance<float>(), std::to_string(kind));
  }
  ASSERT_C(mudnnDestroyOpTensorDescriptor(op));
}

TEST_F(CTensorsTest, Reductions) {
  const Sizes sizes{2, 3, 4}, small{1, 3, 1};
  const TensorDescriptor descriptor(MUDNN_DATA_FLOAT, sizes), smaller(MUDNN_DATA_FLOAT, small);
  auto a = randoms<float>(sizes, 1, -2, 2);
  a[5] = 0;
  const auto c = randoms<float>(small, 2);
  mudnnReduceTensorDescriptor_t reduction = nullptr;
  ASSERT_C(mudnnCreateReduceTensorDescriptor(&reduction));
  const float two = 2, half = 0.5F;
  std::vector<Numbers> rows(3);
  for (size_t i = 0; i < a.size(); ++i) rows[i / 4 % 3].push_back(a[i]);
  for (int op = MUDNN_REDUCE_TENSOR_ADD; op <= MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS; ++op) {
    ASSERT_C(mudnnSetReduceTensorDescriptor(reduction, static_cast<mudnnReduceTensorOp_t>(op),
                                            MUDNN_DATA_FLOAT, MUDNN_PROPAGATE_NAN,
                                            MUDNN_REDUCE_TENSOR_FLATTENED_INDICES, MUDNN_32BIT_INDICES));
    const bool places =
        op == MUDNN_REDUCE_TENSOR_MIN || op == MUDNN_REDUCE_TENSOR_MAX || op == MUDNN_REDUCE_TENSOR_AMAX;
    size_t size = 99;
    ASSERT_C(mudnnGetReductionIndicesSize(handle, reduction, descriptor, smaller, &size));
    EXPECT_EQ(places ? 12U : 0U, size);
    Numbers right(c), rightPlaces(3);
    for (size_t row = 0; row < 3; ++row) {
      double sum = 0, product = 1, noZeros = 1, magnitudes = 0, squares = 0;
      for (const double x : rows[row]) {
        sum += x;
        product *= x;
        noZeros *= x == 0 ? 1 : x;
        magnitudes += std::abs(x);
        squares += x * x;
      }
      const auto least = std::min_element(rows[row].begin(), rows[row].end());
      const auto most = std::max_element(rows[row].begin(), rows[row].end());
      const auto widest = std::max_element(rows[row].begin(), rows[row].end(),
                                           [](double x, double y) { return std::abs(x) < std::abs(y); });
      const double values[] = {
          sum, product, *least, *most, std::abs(*widest), sum / 8, magnitudes, std::sqrt(squares), noZeros};
      right[row] = 2 * values[op] + c[row] / 2;
      const auto place =
          op == MUDNN_REDUCE_TENSOR_MIN ? least : (op == MUDNN_REDUCE_TENSOR_MAX ? most : widest);
      rightPlaces[row] = static_cast<double>(place - rows[row].begin());
    }
    Device<float> in(sizes, a), out(small, c);
    Device<int32_t> indices({3});
    ASSERT_C(mudnnReduceTensor(handle, reduction, indices.memory(), 12, nullptr, 0, &two, descriptor,
                               in.memory(), &half, smaller, out.memory()));
    expectNear(right, out.fetch(), tolerance<float>(), std::to_string(op));
    if (places) EXPECT_EQ(rightPlaces, indices.fetch()) << op;
  }
  ASSERT_C(mudnnDestroyReduceTensorDescriptor(reduction));
}

}  // namespace
}  // namespace musashim::test
