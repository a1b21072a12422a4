// musa::dnn::Interpolate and CTCLoss against references in double.
#include <algorithm>
#include <functional>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;
using Mode = dnn::Interpolate::Mode;

double keys(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * (x * x * x - 5 * x * x + 8 * x - 4) : 0;
}

struct Setting {
  Mode mode;
  bool align, antialias;
};

// How much of input i there is in output o of one dimension: the definition, not a walk over neighbours.
double share(const Setting& setting, int64_t o, int64_t i, int64_t in, int64_t out) {
  const double scale = static_cast<double>(in) / static_cast<double>(out), at = static_cast<double>(o),
               from = static_cast<double>(i);
  if (setting.mode == Mode::NEAREST) return std::floor(at * scale) == from;
  if (setting.mode == Mode::NEAREST_EXACT) return std::floor((at + 0.5) * scale) == from;
  const bool cubic = setting.mode == Mode::BICUBIC;
  if (setting.antialias) {
    const double stretch = std::max(scale, 1.0), center = scale * (at + 0.5);
    double own = 0, whole = 0;
    for (int64_t j = 0; j < in; ++j) {
      const double x = (static_cast<double>(j) + 0.5 - center) / stretch;
      const double weight = cubic ? keys(x, -0.5) : std::max(0.0, 1 - std::abs(x));
      whole += weight;
      if (j == i) own = weight;
    }
    return own / whole;
  }
  double where = setting.align ? at * static_cast<double>(in - 1) / static_cast<double>(out - 1)
                               : scale * (at + 0.5) - 0.5;
  if (!cubic) where = std::clamp(where, 0.0, static_cast<double>(in - 1));
  double sum = 0;  // places beyond the edge are the edge's
  for (int64_t j = -3; j < in + 3; ++j)
    if (std::clamp<int64_t>(j, 0, in - 1) == i)
      sum += cubic ? keys(where - static_cast<double>(j), -0.75)
                   : std::max(0.0, 1 - std::abs(where - static_cast<double>(j)));
  return sum;
}

template <class T>
void everyInterpolation(dnn::Handle& handle) {
  const Setting settings[] = {{Mode::NEAREST, false, false}, {Mode::NEAREST_EXACT, false, false},
                              {Mode::LINEAR, false, false},  {Mode::LINEAR, true, false},
                              {Mode::LINEAR, false, true},   {Mode::BICUBIC, false, false},
                              {Mode::BICUBIC, true, false},  {Mode::BICUBIC, false, true}};
  const std::pair<Sizes, Sizes> places[] = {
      {{5}, {8}}, {{8}, {5}}, {{3, 4}, {6, 6}}, {{6, 7}, {4, 3}}, {{2, 3, 4}, {4, 3, 6}}};
  for (const Setting& setting : settings)
    for (const auto& [from, to] : places) {
      if (setting.mode == Mode::BICUBIC && from.size() != 2) continue;
      Sizes sizesIn{2, 3}, sizesOut{2, 3};
      sizesIn.insert(sizesIn.end(), from.begin(), from.end());
      sizesOut.insert(sizesOut.end(), to.begin(), to.end());
      const auto x = randoms<T>(sizesIn, 1), dy = randoms<T>(sizesOut, 2);
      Numbers y(dy.size()), dx(x.size());
      const int64_t countIn = countOf(from), countOut = countOf(to);
      for (int64_t image = 0; image < 6; ++image)
        for (int64_t o = 0; o < countOut; ++o)
          for (int64_t i = 0; i < countIn; ++i) {
            double weight = 1;
            int64_t restO = o, restI = i;
            for (size_t d = from.size(); d-- > 0; restO /= to[d], restI /= from[d])
              weight *= share(setting, restO % to[d], restI % from[d], from[d], to[d]);
            y[static_cast<size_t>(image * countOut + o)] +=
                weight * x[static_cast<size_t>(image * countIn + i)];
            dx[static_cast<size_t>(image * countIn + i)] +=
                weight * dy[static_cast<size_t>(image * countOut + o)];
          }
      Device<T> in(sizesIn, x), out(sizesOut), gradOut(sizesOut, dy), gradIn(sizesIn);
      std::vector<float> forward, backward;
      for (size_t d = 0; d < from.size(); ++d) {
        forward.push_back(static_cast<float>(from[d]) / static_cast<float>(to[d]));
        backward.push_back(static_cast<float>(to[d]) / static_cast<float>(from[d]));
      }
      dnn::Interpolate op;
      ASSERT_DNN(op.SetMode(setting.mode));
      ASSERT_DNN(op.SetAlignCorners(setting.align));
      ASSERT_DNN(op.SetAntialias(setting.antialias));
      const std::string what = std::to_string(static_cast<int>(setting.mode)) + " of " +
                               std::to_string(from.size()) + " dimensions";
      ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
      expectNear(y, out.fetch(), tolerance<T>(), what);
      ASSERT_DNN(op.RunBackward(handle, gradIn.tensor, gradOut.tensor));
      expectNear(dx, gradIn.fetch(), tolerance<T>(), what);
      // With scales that say the same, which are floats.
      ASSERT_DNN(op.SetScaleInfo(static_cast<int>(forward.size()), forward.data()));
      ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
      expectNear(y, out.fetch(), std::max(tolerance<T>(), 1e-6), what);
      ASSERT_DNN(op.SetScaleInfo(static_cast<int>(backward.size()), backward.data()));
      ASSERT_DNN(op.RunBackward(handle, gradIn.tensor, gradOut.tensor));
      expectNear(dx, gradIn.fetch(), std::max(tolerance<T>(), 1e-6), what);
    }
}

class InterpolateTest : public testing::Test {
 protected:
  dnn::Handle handle;
};

TEST_F(InterpolateTest, EveryMode) {
  everyInterpolation<float>(handle);
  everyInterpolation<double>(handle);
  everyInterpolation<__half>(handle);
  everyInterpolation<__mt_bfloat16>(handle);
}

TEST_F(InterpolateTest, ChannelsLastAndErrors) {
  Device<float> in({1, 2, 2, 2}, {1, 10, 2, 20, 3, 30, 4, 40}), out({1, 2, 4, 2});
  dnn::Interpolate op;
  ASSERT_DNN(in.tensor.SetFormat(Tensor::Format::NHWC));
  ASSERT_DNN(out.tensor.SetFormat(Tensor::Format::NHWC));
  ASSERT_DNN(op.SetScaleInfo({1, 0.5F}));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
  EXPECT_EQ((Numbers{1, 10, 1, 10, 2, 20, 2, 20, 3, 30, 3, 30, 4, 40, 4, 40}), out.fetch());
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetScaleInfo({0, 1}));
  ASSERT_DNN(op.SetScaleInfo({1}));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, out.tensor, in.tensor));
  ASSERT_DNN(op.SetMode(Mode::BICUBIC));
  ASSERT_DNN(op.SetScaleInfo({1}));
  Device<float> row({1, 1, 4}), longer({1, 1, 8});
  EXPECT_EQ(Status::NOT_SUPPORTED, op.Run(handle, longer.tensor, row.tensor));
}

// The probability of a target: all paths, one by one.
double pathsOf(const Numbers& logs, int64_t time, int64_t classes, const std::vector<int64_t>& target,
               int64_t blank) {
  double sum = 0;
  std::vector<int64_t> path(static_cast<size_t>(time));
  for (int64_t number = 0; number < static_cast<int64_t>(std::pow(classes, time)); ++number) {
    std::vector<int64_t> labels;
    double log = 0;
    int64_t rest = number;
    for (int64_t t = 0; t < time; ++t, rest /= classes) {
      path[static_cast<size_t>(t)] = rest % classes;
      log += logs[static_cast<size_t>(t * classes + rest % classes)];
      const bool isNew = t == 0 || path[static_cast<size_t>(t)] != path[static_cast<size_t>(t) - 1];
      if (path[static_cast<size_t>(t)] != blank && isNew) labels.push_back(path[static_cast<size_t>(t)]);
    }
    if (labels == target) sum += std::exp(log);
  }
  return sum;
}

Numbers logSoftmax(const Numbers& x, int64_t classes) {
  Numbers y(x);
  for (size_t row = 0; row < x.size(); row += static_cast<size_t>(classes)) {
    double sum = 0;
    for (size_t c = 0; c < static_cast<size_t>(classes); ++c) sum += std::exp(x[row + c]);
    for (size_t c = 0; c < static_cast<size_t>(classes); ++c) y[row + c] -= std::log(sum);
  }
  return y;
}

TEST_F(InterpolateTest, CtcLoss) {
  const int64_t time = 5, batch = 4, classes = 3;
  for (const int blank : {0, 2}) {
    const int64_t a = blank == 0 ? 1 : 0, b = blank == 1 ? 2 : 1;
    const std::vector<std::vector<int64_t>> targets{{a, b}, {a, a}, {}, {b, b, b}};
    const Sizes inputs{5, 4, 3, 2};  // the last has no path
    const auto scores = randoms<double>({time, batch, classes}, 1), dy = randoms<double>({batch}, 2);
    const auto costs = [&](const Numbers& logs) {
      Numbers all;
      for (int64_t n = 0; n < batch; ++n) {
        Numbers own;
        for (int64_t t = 0; t < inputs[static_cast<size_t>(n)]; ++t)
          for (int64_t c = 0; c < classes; ++c)
            own.push_back(logs[static_cast<size_t>((t * batch + n) * classes + c)]);
        all.push_back(-std::log(
            pathsOf(own, inputs[static_cast<size_t>(n)], classes, targets[static_cast<size_t>(n)], blank)));
      }
      return all;
    };
    const Numbers logs = logSoftmax(scores, classes), right = costs(logs);
    Numbers rightGradient(scores.size());
    for (size_t i = 0; i < scores.size(); ++i) {
      const auto n = i / classes % batch;
      if (std::isinf(right[n])) continue;
      Numbers above(scores), below(scores);
      above[i] += 1e-5;
      below[i] -= 1e-5;
      rightGradient[i] =
          dy[n] * (costs(logSoftmax(above, classes))[n] - costs(logSoftmax(below, classes))[n]) / 2e-5;
    }
    Device<double> in({time, batch, classes}, logs), out({batch}), alpha({batch, time, 7}),
        gradOut({batch}, dy), gradIn({time, batch, classes});
    Device<int64_t> rows({batch, 3}, {double(a), double(b), 0, double(a), double(a), 0, 0, 0, 0, double(b),
                                      double(b), double(b)}),
        lengths({batch}, {2, 2, 0, 3}), times({batch}, {5, 4, 3, 2});
    Device<int32_t> together({7},
                             {double(a), double(b), double(a), double(a), double(b), double(b), double(b)});
    for (Tensor* const of : {&rows.tensor, &together.tensor}) {
      dnn::CTCLoss op;
      ASSERT_DNN(op.SetBlank(blank));
      ASSERT_DNN(op.SetMaxTargetLength(3));
      ASSERT_DNN(op.Run(handle, out.tensor, alpha.tensor, in.tensor, *of, times.tensor, lengths.tensor));
      expectNear(right, out.fetch(), 1e-12);
      // The last two states of the last time are all paths.
      const Numbers paths = alpha.fetch();
      const size_t last = (0 * time + 4) * 7;
      EXPECT_NEAR(-right[0], std::log(std::exp(paths[last + 3]) + std::exp(paths[last + 4])), 1e-12);
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, in.tensor, *of, times.tensor,
                           lengths.tensor, out.tensor, alpha.tensor));
      Numbers got = gradIn.fetch();
      EXPECT_TRUE(std::isnan(got[3 * classes]));
      ASSERT_DNN(op.SetZeroInfinity(true));
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, in.tensor, *of, times.tensor,
                           lengths.tensor, out.tensor, alpha.tensor));
      expectNear(rightGradient, gradIn.fetch(), 1e-8);
      ASSERT_DNN(op.Run(handle, out.tensor, alpha.tensor, in.tensor, *of, times.tensor, lengths.tensor));
      EXPECT_EQ(0, out.fetch()[3]);
    }
  }
  dnn::CTCLoss op;
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetBlank(-1));
  ASSERT_DNN(op.SetBlank(3));
  Device<float> in({2, 1, 3}), out({1}), alpha({1, 2, 3});
  Device<int64_t> targets({1, 1}, {1}), one({1}, {1});
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.Run(handle, out.tensor, alpha.tensor, in.tensor, targets.tensor, one.tensor, one.tensor));
}

}  // namespace
}  // namespace musashim::test
