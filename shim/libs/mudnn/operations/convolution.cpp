#include "libs/mudnn/operations/convolution.h"

#include <cmath>
#include <memory>
#include <optional>

#include "libs/mudnn/core/values.h"
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/layers.h"
#include "libs/mudnn/operations/direct_convolution.h"

namespace musashim::mudnn {
namespace {

bool isInteger(const Array& array) { return !isFloating(array.element); }

// Sums of products of 8-bit integers are exact in floats up to here.
constexpr int64_t kExactInFloat = (int64_t{1} << 24) / (128 * 128);

bool needsDouble(const ConvolutionProblem& problem, int64_t terms) {
  for (const Array* array : {&problem.x, &problem.w, &problem.y})
    if (array->element == Element::kDouble) return true;
  return isInteger(problem.x) && isInteger(problem.w) && terms > kExactInFloat;
}

void check(const ConvolutionProblem& problem) {
  const Array &x = problem.x, &w = problem.w, &y = problem.y;
  require(x.rank >= 3 && x.rank <= 5 && w.rank == x.rank && y.rank == x.rank,
          "a convolution has tensors of 3 to 5 dimensions, all alike");
  const auto places = static_cast<size_t>(x.rank - 2);
  require(
      problem.pads.size() == places && problem.strides.size() == places && problem.dilations.size() == places,
      "pads, strides and dilations do not go with the tensors' dimensions");
  require(
      problem.groups >= 1 && w.sizes[0] % problem.groups == 0 && x.sizes[1] == w.sizes[1] * problem.groups,
      "channels do not go with the groups");
  require(y.sizes[0] == x.sizes[0] && y.sizes[1] == w.sizes[0],
          "the output's channels or its batch are others");
  for (size_t i = 0; i < places; ++i) {
    require(problem.pads[i] >= 0 && problem.strides[i] >= 1 && problem.dilations[i] >= 1,
            "a pad is negative, or a stride or dilation is less than 1");
    require(y.sizes[i + 2] == placesAfter(x.sizes[i + 2], w.sizes[i + 2], problem.pads[i], problem.strides[i],
                                          problem.dilations[i]),
            "the output's places are not those of the convolution");
  }
}

// An array as floats that oneDNN takes: its own memory, or a copy.
struct Floats {
  explicit Floats(const Array& array, bool reads = true) : view(array) {
    if (array.element == Element::kFloat && onednn::isDense(array)) return;
    copy = std::make_unique<float[]>(static_cast<size_t>(array.count()));
    view = contiguousArray(Element::kFloat, copy.get(), array.rank, array.sizes.data());
    if (reads) readPart(array, 0, array.count(), copy.get());
  }
  Array view;
  std::unique_ptr<float[]> copy;
};

// The filter with its places in the opposite order.
template <class V>
std::unique_ptr<V[]> flipped(const Array& w) {
  auto values = std::make_unique<V[]>(static_cast<size_t>(w.count()));
  readPart(w, 0, w.count(), values.get());
  const int64_t places = w.count() / std::max<int64_t>(w.sizes[0] * w.sizes[1], 1);
  for (int64_t i = 0; i < w.sizes[0] * w.sizes[1]; ++i)
    std::reverse(values.get() + i * places, values.get() + (i + 1) * places);
  return values;
}

onednn::Convolution engineProblem(const ConvolutionProblem& problem, const Array& x, const Array& w,
                                  const Array& y) {
  return {x, w, y, Array(), problem.groups, problem.pads, problem.strides, problem.dilations};
}

double scaleOf(const Array& array) { return array.element == Element::kQint8 ? array.scale : 1; }

// to = (alpha * sums + beta * add + bias) behind the activation, part by part.
template <class V>
void finish(const Array& to, const V* sums, const ConvolutionTail& tail, double scale) {
  const Array* const add = tail.beta != 0 && tail.add.data ? &tail.add : nullptr;
  std::optional<Input<V>> bias;
  if (tail.bias.data) bias.emplace(tail.bias);
  const int64_t places = to.count() / std::max<int64_t>(to.sizes[0] * to.sizes[1], 1), channels = to.sizes[1];
  const V factor = static_cast<V>(tail.alpha * scale),
          addFactor = static_cast<V>(add ? tail.beta * scaleOf(*add) : 0);
  const V biasFactor = static_cast<V>(tail.bias.data ? scaleOf(tail.bias) : 1),
          out = static_cast<V>(scaleOf(to));
  shareRange(to.count(), 1, [&](int64_t begin, int64_t end) {
    constexpr int64_t kRun = 1024;
    V values[kRun], added[kRun];
    for (int64_t at = begin; at < end; at += kRun) {
      const int64_t count = std::min(kRun, end - at);
      for (int64_t i = 0; i < count; ++i) values[i] = factor * sums[at + i];
      if (add) {
        readPart(*add, at, count, added);
        for (int64_t i = 0; i < count; ++i) values[i] += addFactor * added[i];
      }
      if (bias)
        for (int64_t i = 0; i < count; ++i) values[i] += biasFactor * (*bias)[(at + i) / places % channels];
      activate(tail.activation, tail.coefficient, values, count);
      if (out != 1)
        for (int64_t i = 0; i < count; ++i) values[i] /= out;
      writePart(to, at, count, values);
    }
  });
}

bool isPlain(const ConvolutionTail& tail) {
  return tail.alpha == 1 && (tail.beta == 0 || !tail.add.data) && tail.activation == Activation::kIdentity;
}

void forwardInFloat(const ConvolutionProblem& problem, const ConvolutionTail& tail) {
  const Floats x(problem.x);
  std::unique_ptr<float[]> turned;
  Array filter = problem.w;
  if (problem.flips) {
    turned = flipped<float>(problem.w);
    filter = contiguousArray(Element::kFloat, turned.get(), filter.rank, filter.sizes.data());
  }
  const Floats w(filter);
  const double scale = scaleOf(problem.x) * scaleOf(problem.w);
  const bool direct =
      isPlain(tail) && scale == 1 && problem.y.element == Element::kFloat && onednn::isDense(problem.y);
  if (direct) {
    auto engine = engineProblem(problem, x.view, w.view, problem.y);
    std::optional<Input<float>> bias;
    if (tail.bias.data) {
      bias.emplace(tail.bias);
      engine.bias =
          contiguousArray(Element::kFloat, const_cast<float*>(bias->data()), 1, &problem.y.sizes[1]);
    }
    return onednn::convolutionForward(engine);
  }
  auto sums = std::make_unique<float[]>(static_cast<size_t>(problem.y.count()));
  onednn::convolutionForward(
      engineProblem(problem, x.view, w.view,
                    contiguousArray(Element::kFloat, sums.get(), problem.y.rank, problem.y.sizes.data())));
  finish(problem.y, sums.get(), tail, scale);
}

// The gradient of `to` by oneDNN's `run`, or in double by `direct`.
template <class Run, class Direct>
void backward(const ConvolutionProblem& problem, Array ConvolutionProblem::* member, bool inDouble,
              double alpha, double beta, Run&& run, Direct&& direct) {
  const Array& to = problem.*member;
  const bool isFilter = member == &ConvolutionProblem::w;
  ConvolutionTail tail;
  tail.alpha = alpha;
  tail.beta = beta;
  tail.add = to;
  const auto finishWith = [&]<class V>(V* values) {
    if (isFilter && problem.flips) {
      const auto turned = flipped<V>(contiguousArray(
          std::is_same_v<V, float> ? Element::kFloat : Element::kDouble, values, to.rank, to.sizes.data()));
      return finish(to, turned.get(), tail, 1);
    }
    finish(to, values, tail, 1);
  };
  if (inDouble) {
    auto values = std::make_unique<double[]>(static_cast<size_t>(to.count()));
    direct(values.get());
    return finishWith(values.get());
  }
  std::unique_ptr<float[]> turned;
  Array filter = problem.w;
  if (!isFilter && problem.flips) {
    turned = flipped<float>(problem.w);
    filter = contiguousArray(Element::kFloat, turned.get(), filter.rank, filter.sizes.data());
  }
  const Floats x(problem.x, member != &ConvolutionProblem::x), w(filter, !isFilter), y(problem.y);
  auto engine = engineProblem(problem, x.view, w.view, y.view);
  const bool straight = alpha == 1 && beta == 0 && !(isFilter && problem.flips) &&
                        to.element == Element::kFloat && onednn::isDense(to);
  if (straight) return run(engine);
  auto values = std::make_unique<float[]>(static_cast<size_t>(to.count()));
  Array& target = isFilter ? engine.w : engine.x;
  target = contiguousArray(Element::kFloat, values.get(), to.rank, to.sizes.data());
  run(engine);
  finishWith(values.get());
}

}  // namespace

int64_t placesAfter(int64_t size, int64_t window, int64_t pad, int64_t stride, int64_t dilation) {
  const int64_t room = size + 2 * pad - ((window - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

template <class V>
void activate(Activation activation, double coefficient, V* values, int64_t count) {
  const V a = static_cast<V>(coefficient);
  const auto map = [&](auto&& function) {
    for (int64_t i = 0; i < count; ++i) values[i] = function(values[i]);
  };
  switch (activation) {
    case Activation::kIdentity:
      return;
    case Activation::kRelu:
      return map([](V x) { return x <= 0 ? V(0) : x; });
    case Activation::kSilu:
      return map([](V x) { return x / (1 + std::exp(-x)); });
    case Activation::kSigmoid:
      return map([](V x) { return 1 / (1 + std::exp(-x)); });
    case Activation::kTanh:
      return map([](V x) { return std::tanh(x); });
    case Activation::kLeakyRelu:
      return map([a](V x) { return x > 0 ? x : a * x; });
    case Activation::kGelu:
      return map([](V x) { return x * V(0.5) * std::erfc(-x * V(0.70710678118654752)); });
    case Activation::kElu:
      return map([a](V x) { return x > 0 ? x : a * std::expm1(x); });
    case Activation::kClippedRelu:
      return map([a](V x) { return x > 0 ? (x < a ? x : a) : (std::isnan(x) ? x : V(0)); });
  }
}
template void activate<float>(Activation, double, float*, int64_t);
template void activate<double>(Activation, double, double*, int64_t);

bool activateByEngine(Activation activation, double coefficient, const Array& out, const Array& in) {
  const auto map = [&](onednn::Function function) {
    return onednn::mapElements(function, coefficient, out, in);
  };
  switch (activation) {
    case Activation::kSigmoid:
      return map(onednn::Function::kSigmoid);
    case Activation::kTanh:
      return map(onednn::Function::kTanh);
    case Activation::kSilu:
      return map(onednn::Function::kSwish);
    case Activation::kElu:
      return map(onednn::Function::kElu);
    default:
      return false;
  }
}

Work convolutionForward(const ConvolutionProblem& problem, const ConvolutionTail& tail) {
  check(problem);
  require(!tail.add.data || tail.add.sameSizes(problem.y), "what is added has other sizes than the output");
  require(!tail.bias.data || tail.bias.count() == problem.y.sizes[1],
          "there is one bias for each output channel");
  const int64_t terms = problem.w.count() / std::max<int64_t>(problem.w.sizes[0], 1);
  return [problem, tail, inDouble = needsDouble(problem, terms)] {
    if (problem.y.count() == 0) return;
    if (!inDouble && problem.x.count() != 0 && problem.w.count() != 0) return forwardInFloat(problem, tail);
    auto sums = std::make_unique<double[]>(static_cast<size_t>(problem.y.count()));
    directForward(problem, sums.get());
    finish(problem.y, sums.get(), tail, scaleOf(problem.x) * scaleOf(problem.w));
  };
}

Work convolutionBackwardData(const ConvolutionProblem& problem, double alpha, double beta) {
  check(problem);
  return [=, inDouble = needsDouble(problem, 0)] {
    if (problem.x.count() == 0) return;
    backward(problem, &ConvolutionProblem::x, inDouble || problem.y.count() == 0 || problem.w.count() == 0,
             alpha, beta, onednn::convolutionBackwardData,
             [&](double* dx) { directBackwardData(problem, dx); });
  };
}

Work convolutionBackwardFilter(const ConvolutionProblem& problem, double alpha, double beta) {
  check(problem);
  return [=, inDouble = needsDouble(problem, 0)] {
    if (problem.w.count() == 0) return;
    backward(problem, &ConvolutionProblem::w, inDouble || problem.y.count() == 0 || problem.x.count() == 0,
             alpha, beta, onednn::convolutionBackwardFilter,
             [&](double* dw) { directBackwardFilter(problem, dw); });
  };
}

}  // namespace musashim::mudnn
