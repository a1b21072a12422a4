// musa::dnn's losses against functions in double, and their gradients against differences.
#include <functional>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

class LossTest : public testing::Test {
 protected:
  // The gradient of sum(weights * function(x)).
  static Numbers differences(const Numbers& x, const Numbers& weights,
                             const std::function<Numbers(const Numbers&)>& function) {
    Numbers gradient(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      Numbers above(x), below(x);
      above[i] += 1e-5;
      below[i] -= 1e-5;
      const Numbers high = function(above), low = function(below);
      for (size_t j = 0; j < high.size(); ++j) gradient[i] += weights[j] * (high[j] - low[j]) / 2e-5;
    }
    return gradient;
  }
  // Of rows, by 0: none, 1: mean over `total`, 2: sum.
  static Numbers reduced(const Numbers& rows, int mode, double total) {
    if (mode == 0) return rows;
    double sum = 0;
    for (const double value : rows) sum += value;
    return {mode == 1 ? sum / total : sum};
  }
  dnn::Handle handle;
};

constexpr size_t kRows = 4, kClasses = 3;
const Numbers kTargets{2, 0, -100, 1}, kWeights{0.5, 2, 1.5};

// Rows of logarithms of probabilities and their targets; nothing for the row that is ignored.
Numbers losses(const Numbers& logs, bool weighted, double smoothing) {
  Numbers rows(kRows);
  for (size_t i = 0; i < kRows; ++i) {
    if (kTargets[i] < 0) continue;
    const auto at = static_cast<size_t>(kTargets[i]);
    rows[i] = -(1 - smoothing) * (weighted ? kWeights[at] : 1) * logs[i * kClasses + at];
    for (size_t c = 0; c < kClasses; ++c)
      rows[i] -= smoothing / kClasses * (weighted ? kWeights[c] : 1) * logs[i * kClasses + c];
  }
  return rows;
}

Numbers logSoftmax(const Numbers& x) {
  Numbers y(x);
  for (size_t i = 0; i < kRows; ++i) {
    double sum = 0;
    for (size_t c = 0; c < kClasses; ++c) sum += std::exp(x[i * kClasses + c]);
    for (size_t c = 0; c < kClasses; ++c) y[i * kClasses + c] -= std::log(sum);
  }
  return y;
}

TEST_F(LossTest, NegativeLogLikelihoods) {
  const auto x = randoms<double>({kRows, kClasses}, 1, -3, 0);
  Device<double> in({kRows, kClasses}, x), weights({kClasses}, kWeights), gradIn({kRows, kClasses}),
      total({1});
  Device<int64_t> targets({kRows}, kTargets);
  for (int mode = 0; mode < 3; ++mode)
    for (const bool weighted : {false, true}) {
      const double all = weighted ? 1.5 + 0.5 + 2 : 3;
      const Sizes sizes{mode == 0 ? static_cast<int64_t>(kRows) : 1};
      const auto gradient = randoms<double>(sizes, 2);
      Device<double> out(sizes), gradOut(sizes, gradient);
      const Tensor weight = weighted ? weights.tensor : Tensor();
      dnn::NLLLoss op;
      ASSERT_DNN(op.SetReductionMode(static_cast<dnn::NLLLoss::Mode>(mode)));
      ASSERT_DNN(op.SetIgnoreIndex(-100));
      ASSERT_DNN(op.Run(handle, out.tensor, total.tensor, in.tensor, targets.tensor, weight));
      const auto function = [&](const Numbers& values) {
        return reduced(losses(values, weighted, 0), mode, all);
      };
      expectNear(function(x), out.fetch(), 1e-13);
      expectNear({all}, total.fetch(), 1e-13);
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, targets.tensor, weight, total.tensor));
      expectNear(differences(x, gradient, function), gradIn.fetch(), 1e-8);
    }
  dnn::NLLLoss op;
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetReductionMode(static_cast<dnn::NLLLoss::Mode>(3)));
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.Run(handle, in.tensor, total.tensor, in.tensor, targets.tensor, Tensor()));
}

TEST_F(LossTest, CrossEntropies) {
  const auto x = randoms<double>({kRows, kClasses}, 1, -3, 3);
  Device<double> in({kRows, kClasses}, x), weights({kClasses}, kWeights), gradIn({kRows, kClasses});
  Device<int64_t> targets({kRows}, kTargets);
  for (int mode = 0; mode < 3; ++mode)
    for (const bool weighted : {false, true})
      for (const double smoothing : {0.0, 0.25}) {
        const double all = weighted ? 1.5 + 0.5 + 2 : 3;
        const Sizes sizes{mode == 0 ? static_cast<int64_t>(kRows) : 1};
        const auto gradient = randoms<double>(sizes, 2);
        Device<double> out(sizes), gradOut(sizes, gradient);
        const Tensor weight = weighted ? weights.tensor : Tensor();
        dnn::CrossEntropyLoss op;
        ASSERT_DNN(op.SetReductionMode(static_cast<dnn::CrossEntropyLoss::ReductionMode>(mode)));
        ASSERT_DNN(op.SetLabelSmoothing(smoothing));
        ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, targets.tensor, weight));
        const auto function = [&](const Numbers& values) {
          return reduced(losses(logSoftmax(values), weighted, smoothing), mode, all);
        };
        expectNear(function(x), out.fetch(), 1e-13);
        ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, in.tensor, gradOut.tensor, targets.tensor, weight));
        expectNear(differences(x, gradient, function), gradIn.fetch(), 1e-8);
      }
}

TEST_F(LossTest, Divergences) {
  const auto x = randoms<double>({2, 5}, 1, -3, 0);
  auto t = randoms<double>({2, 5}, 2, 0.1, 1);
  Device<double> in({2, 5}, x), gradIn({2, 5});
  for (const bool logarithms : {false, true}) {
    if (!logarithms) t[3] = 0;
    Device<double> target({2, 5}, t);
    for (int mode = 0; mode < 3; ++mode) {
      const Sizes sizes = mode == 0 ? Sizes{2, 5} : Sizes{1};
      const auto gradient = randoms<double>(sizes, 3);
      Device<double> out(sizes), gradOut(sizes, gradient);
      const auto function = [&](const Numbers& values) {
        Numbers rows(values.size());
        for (size_t i = 0; i < rows.size(); ++i)
          rows[i] = logarithms ? std::exp(t[i]) * (t[i] - values[i])
                               : (t[i] == 0 ? 0 : t[i] * (std::log(t[i]) - values[i]));
        return reduced(rows, mode, 10);
      };
      dnn::KLDivLoss op;
      ASSERT_DNN(op.SetReductionMode(static_cast<dnn::KLDivLoss::Mode>(mode)));
      ASSERT_DNN(op.SetLogTarget(logarithms));
      ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, target.tensor));
      expectNear(function(x), out.fetch(), 1e-13);
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, in.tensor, target.tensor));
      expectNear(differences(x, gradient, function), gradIn.fetch(), 1e-8);
    }
  }
}

}  // namespace
}  // namespace musashim::test
