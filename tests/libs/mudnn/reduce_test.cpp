// musa::dnn::Reduce, Softmax, Cum, TopK, Sort and SortByKey against loops in double.
#include <algorithm>
#include <limits>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Mode = dnn::Reduce::Mode;
using Numbers = std::vector<double>;

class ReduceTest : public testing::Test {
 protected:
  dnn::Handle handle;
};

double reduced(Mode mode, const Numbers& row, double order, double correction) {
  double sum = 0, product = 1, squares = 0, powers = 0, all = 1, any = 0;
  for (const double x : row) {
    sum += x;
    product *= x;
    powers += std::pow(std::abs(x), order);
    all = all != 0 && x != 0;
    any = any != 0 || x != 0;
  }
  const double n = static_cast<double>(row.size()), mean = sum / n;
  for (const double x : row) squares += (x - mean) * (x - mean);
  switch (mode) {
    case Mode::ADD:
      return sum;
    case Mode::MEAN:
      return mean;
    case Mode::MIN:
      return *std::min_element(row.begin(), row.end());
    case Mode::MAX:
      return *std::max_element(row.begin(), row.end());
    case Mode::PROD:
      return product;
    case Mode::NORM:
      return std::pow(powers, 1 / order);
    case Mode::AND:
      return all;
    case Mode::OR:
      return any;
    case Mode::VARIANCE:
      return squares / (n - correction);
    default:
      return std::sqrt(squares / (n - correction));
  }
}

template <class T>
void everyMode(dnn::Handle& handle) {
  const Sizes sizes{3, 4, 5};
  auto x = randoms<T>(sizes, 1, 0, 2);
  x[7] = 0;
  Device<T> in(sizes, x);
  // Dimensions 2 and 0 are reduced: four rows.
  std::vector<Numbers> rows(4);
  for (size_t i = 0; i < x.size(); ++i) rows[i / 5 % 4].push_back(x[i]);
  for (int mode = 0; mode <= static_cast<int>(Mode::STD); ++mode) {
    dnn::Reduce op;
    ASSERT_DNN(op.SetMode(static_cast<Mode>(mode)));
    ASSERT_DNN(op.SetDim({-1, 0}));
    ASSERT_DNN(op.SetNormOrd(3));
    ASSERT_DNN(op.SetCorrection(2));
    Device<T> out({1, 4, 1});
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
    Numbers right;
    for (const Numbers& row : rows) right.push_back(reduced(static_cast<Mode>(mode), row, 3, 2));
    expectNear(right, out.fetch(), tolerance<T>(), std::to_string(mode));
  }
}

TEST_F(ReduceTest, EveryMode) {
  everyMode<float>(handle);
  everyMode<double>(handle);
  everyMode<__half>(handle);
  everyMode<__mt_bfloat16>(handle);
}

TEST_F(ReduceTest, AllOfIntegersAndTruth) {
  Device<int32_t> in({2, 3}, {7, -2, 9, 4, 4, 1});
  Device<int64_t> sum({1});
  Device<float> mean({1});
  Device<bool> truth({3}, {1, 0, 1}), any({1}), all({1});
  dnn::Reduce op;
  ASSERT_DNN(op.SetDim({}));
  ASSERT_DNN(op.Run(handle, sum.tensor, in.tensor));
  ASSERT_DNN(op.SetMode(Mode::MEAN));
  ASSERT_DNN(op.Run(handle, mean.tensor, in.tensor));
  ASSERT_DNN(op.SetMode(Mode::OR));
  ASSERT_DNN(op.Run(handle, any.tensor, truth.tensor));
  ASSERT_DNN(op.SetMode(Mode::AND));
  ASSERT_DNN(op.Run(handle, all.tensor, truth.tensor));
  EXPECT_EQ(Numbers{23}, sum.fetch());
  expectNear({23.0 / 6}, mean.fetch(), 1e-7);
  EXPECT_EQ(Numbers{1}, any.fetch());
  EXPECT_EQ(Numbers{0}, all.fetch());
}

TEST_F(ReduceTest, PlacesOfTheFirstLargest) {
  Device<float> in({2, 4}, {1, 5, 5, 2, 3, NAN, 9, 0});
  Device<int64_t> places({2}), narrow({2});
  Device<float> values({2});
  dnn::Reduce op;
  ASSERT_DNN(op.SetMode(Mode::MAX));
  ASSERT_DNN(op.SetDim({1}));
  ASSERT_DNN(op.RunWithIndices(handle, values.tensor, places.tensor, in.tensor));
  EXPECT_EQ((Numbers{1, 1}), places.fetch());
  expectNear({5, NAN}, values.fetch(), 0);
  ASSERT_DNN(op.SetMode(Mode::MIN));
  ASSERT_DNN(op.RunIndices(handle, narrow.tensor, in.tensor));
  EXPECT_EQ((Numbers{0, 1}), narrow.fetch());
  ASSERT_DNN(op.SetMode(Mode::ADD));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.RunIndices(handle, narrow.tensor, in.tensor));
  ASSERT_DNN(op.SetDim({1, 1}));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, values.tensor, in.tensor));
}

TEST_F(ReduceTest, OrdersOfNorms) {
  Device<float> in({4}, {3, 0, -4, 0}), out({1});
  dnn::Reduce op;
  ASSERT_DNN(op.SetMode(Mode::NORM));
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto& [order, right] :
       {std::pair{2.F, 5.0}, {1.F, 7.0}, {0.F, 2.0}, {infinity, 4.0}, {-infinity, 0.0}}) {
    ASSERT_DNN(op.SetNormOrd(order));
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
    expectNear({right}, out.fetch(), 1e-7);
  }
}

template <class T>
void softmaxes(dnn::Handle& handle) {
  using S = dnn::Softmax::Mode;
  const Sizes sizes{3, 6, 4};
  const auto x = randoms<T>(sizes, 1, -4, 4), dy = randoms<T>(sizes, 2);
  Device<T> in(sizes, x), out(sizes), gradOut(sizes, dy), gradIn(sizes), sums({3, 4});
  const auto at = [](size_t row, size_t i) { return row / 4 * 24 + i * 4 + row % 4; };
  for (const S mode : {S::SOFTMAX, S::LOGSOFTMAX}) {
    Numbers y(x.size()), dx(x.size());
    for (size_t row = 0; row < 12; ++row) {
      double sum = 0, weighted = 0;
      for (size_t i = 0; i < 6; ++i) sum += std::exp(x[at(row, i)]);
      for (size_t i = 0; i < 6; ++i) {
        y[at(row, i)] = mode == S::SOFTMAX ? std::exp(x[at(row, i)]) / sum : x[at(row, i)] - std::log(sum);
        weighted += dy[at(row, i)] * (mode == S::SOFTMAX ? y[at(row, i)] : 1);
      }
      for (size_t i = 0; i < 6; ++i)
        dx[at(row, i)] = mode == S::SOFTMAX ? y[at(row, i)] * (dy[at(row, i)] - weighted)
                                            : dy[at(row, i)] - std::exp(y[at(row, i)]) * weighted;
    }
    dnn::Softmax op;
    ASSERT_DNN(op.SetMode(mode));
    ASSERT_DNN(op.SetAlgorithm(dnn::Softmax::Algorithm::ACCURATE));
    ASSERT_DNN(op.SetDim(1));
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
    expectNear(y, out.fetch(), tolerance<T>());
    ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, out.tensor, gradOut.tensor));
    expectNear(dx, gradIn.fetch(), 8 * tolerance<T>());
  }
  Numbers right(12);
  for (size_t row = 0; row < 12; ++row) {
    for (size_t i = 0; i < 6; ++i) right[row] += std::exp(x[at(row, i)]);
    right[row] = std::log(right[row]);
  }
  dnn::Softmax op;
  ASSERT_DNN(op.SetMode(S::LOGSUMEXP));
  ASSERT_DNN(op.SetDim(-2));
  ASSERT_DNN(op.Run(handle, sums.tensor, in.tensor));
  expectNear(right, sums.fetch(), tolerance<T>());
}

TEST_F(ReduceTest, Softmaxes) {
  softmaxes<float>(handle);
  softmaxes<double>(handle);
  softmaxes<__half>(handle);
  softmaxes<__mt_bfloat16>(handle);
  Device<int32_t> integers({3});
  EXPECT_EQ(Status::NOT_SUPPORTED, dnn::Softmax().Run(handle, integers.tensor, integers.tensor));
}

TEST_F(ReduceTest, LargeNumbersDoNotOverflow) {
  Device<float> in({2}, {1000, 1001}), out({2});
  ASSERT_DNN(dnn::Softmax().Run(handle, out.tensor, in.tensor));
  expectNear({1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0))}, out.fetch(), 1e-6);
}

TEST_F(ReduceTest, Cumulated) {
  Device<int64_t> in({2, 3}, {1, 2, 3, 4, 5, 6}), out({2, 3});
  dnn::Cum op;
  ASSERT_DNN(op.SetMode(dnn::Cum::Mode::ADD));
  ASSERT_DNN(op.SetDim(1));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
  EXPECT_EQ((Numbers{1, 3, 6, 4, 9, 15}), out.fetch());
  ASSERT_DNN(op.SetMode(dnn::Cum::Mode::MUL));
  ASSERT_DNN(op.SetDim(0));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
  EXPECT_EQ((Numbers{1, 2, 3, 4, 10, 18}), out.fetch());
}

TEST_F(ReduceTest, SortedAndLargest) {
  Device<float> in({2, 5}, {3, 1, 3, NAN, -2, 5, 5, 4, 9, 0}), values({2, 5}), top({2, 2});
  Device<int64_t> places({2, 5}), topPlaces({2, 2});
  dnn::Sort sort;
  ASSERT_DNN(sort.SetDim(1));
  ASSERT_DNN(sort.SetStable(true));
  ASSERT_DNN(sort.SetDescending(false));
  ASSERT_DNN(sort.Run(handle, values.tensor, places.tensor, in.tensor));
  expectNear({-2, 1, 3, 3, NAN, 0, 4, 5, 5, 9}, values.fetch(), 0);
  EXPECT_EQ((Numbers{4, 1, 0, 2, 3, 4, 2, 0, 1, 3}), places.fetch());
  ASSERT_DNN(sort.SetDescending(true));
  ASSERT_DNN(sort.Run(handle, values.tensor, places.tensor, in.tensor));
  EXPECT_EQ((Numbers{3, 0, 2, 1, 4, 3, 0, 1, 2, 4}), places.fetch());
  dnn::TopK topK;
  ASSERT_DNN(topK.SetK(2));
  ASSERT_DNN(topK.SetDim(-1));
  ASSERT_DNN(topK.SetSorted(true));
  for (const bool largest : {true, false}) {
    ASSERT_DNN(topK.SetLargest(largest));
    ASSERT_DNN(topK.Run(handle, top.tensor, topPlaces.tensor, in.tensor));
    expectNear(largest ? Numbers{NAN, 3, 9, 5} : Numbers{-2, 1, 0, 4}, top.fetch(), 0);
    EXPECT_EQ(largest ? (Numbers{3, 0, 3, 0}) : (Numbers{4, 1, 4, 2}), topPlaces.fetch());
  }
  ASSERT_DNN(topK.SetK(6));
  EXPECT_EQ(Status::INVALID_PARAMETER, topK.Run(handle, top.tensor, topPlaces.tensor, in.tensor));
}

TEST_F(ReduceTest, SortedByKey) {
  Device<int64_t> keys({4}, {3, 1, 2, 1}), sorted({4});
  Device<double> values({4}, {0.5, 1.5, 2.5, 3.5}), moved({4});
  dnn::SortByKey op;
  ASSERT_DNN(op.SetDim(0));
  ASSERT_DNN(op.Run(handle, sorted.tensor, moved.tensor, keys.tensor, values.tensor));
  EXPECT_EQ((Numbers{1, 1, 2, 3}), sorted.fetch());
  EXPECT_EQ((Numbers{1.5, 3.5, 2.5, 0.5}), moved.fetch());
}

}  // namespace
}  // namespace musashim::test
