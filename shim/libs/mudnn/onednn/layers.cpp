#include "libs/mudnn/onednn/layers.h"

#include <algorithm>
#include <cstring>

#include "libs/mudnn/onednn/blocks.h"
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/plan.h"

namespace musashim::mudnn::onednn {
namespace {

using dnnl::memory;

int64_t bitsOf(double number) {
  int64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

// In the caller's layouts, whatever the primitive is: copies would cost more than such layers.
template <class Primitive, class Description>
Plan inPlace(const Description& description, const memory::desc& in, const memory::desc& out) {
  return {Primitive(description),
          description.scratchpad_desc(),
          {{DNNL_ARG_SRC, in, in, false}, {DNNL_ARG_DST, out, out, true}}};
}

bool areFloats(const Array& out, const Array& in) {
  return out.element == Element::kFloat && in.element == Element::kFloat;
}

dnnl::algorithm algorithmOf(Function function) {
  switch (function) {
    case Function::kSigmoid:
      return dnnl::algorithm::eltwise_logistic;
    case Function::kTanh:
      return dnnl::algorithm::eltwise_tanh;
    case Function::kExp:
      return dnnl::algorithm::eltwise_exp;
    case Function::kSwish:
      return dnnl::algorithm::eltwise_swish;
    case Function::kElu:
      return dnnl::algorithm::eltwise_elu;
    case Function::kGelu:
      return dnnl::algorithm::eltwise_gelu_erf;
  }
  return dnnl::algorithm::undef;
}

// How a pooling is asked for; `high`: the padding behind.
struct PoolingLayouts {
  explicit PoolingLayouts(const Pooling& problem)
      : algorithm(problem.mode == Pooling::Mode::kMax ? dnnl::algorithm::pooling_max
                  : problem.mode == Pooling::Mode::kAverageWithPad
                      ? dnnl::algorithm::pooling_avg_include_padding
                      : dnnl::algorithm::pooling_avg_exclude_padding),
        x(floatsOf(problem.x)),
        y(floatsOf(problem.y)),
        none(problem.window.size(), 0) {}

  dnnl::pooling_forward::primitive_desc forward(const Pooling& problem, const memory::dims& high,
                                                dnnl::prop_kind kind) const {
    return {engine(),     kind, algorithm,       x, y, problem.strides, problem.window, none,
            problem.pads, high, planAttributes()};
  }

  dnnl::algorithm algorithm;
  memory::desc x, y;
  memory::dims none;
};

// Empty where oneDNN would count more than there is.
memory::dims paddingBehind(const Pooling& problem) {
  const Array &x = problem.x, &y = problem.y;
  memory::dims high(problem.pads);
  for (size_t i = 0; i < high.size(); ++i) {
    high[i] = (y.sizes[i + 2] - 1) * problem.strides[i] + problem.window[i] - x.sizes[i + 2] - high[i];
    if (high[i] > problem.pads[i]) return {};
  }
  return high;
}

Key keyOf(Key::Operation operation, const Pooling& problem) {
  Key key(operation);
  key.add(static_cast<int64_t>(problem.mode)).add(problem.x).add(problem.y);
  key.add(problem.window).add(problem.pads).add(problem.strides);
  return key;
}

bool isPossible(const Pooling& problem) {
  return areFloats(problem.y, problem.x) && isDense(problem.x) && isDense(problem.y);
}

}  // namespace

bool poolingForward(const Pooling& problem) {
  if (!isPossible(problem)) return false;
  const memory::dims high = paddingBehind(problem);
  if (high.empty()) return false;
  const auto plan = planFor(keyOf(Key::Operation::kPooling, problem), [&] {
    const PoolingLayouts layouts(problem);
    return inPlace<dnnl::pooling_forward>(layouts.forward(problem, high, dnnl::prop_kind::forward_inference),
                                          layouts.x, layouts.y);
  });
  plan->run({problem.x.data, problem.y.data});
  return true;
}

bool poolingBackward(const Pooling& problem, const void* in) {
  if (!isPossible(problem)) return false;
  const memory::dims high = paddingBehind(problem);
  if (high.empty()) return false;
  const bool isMax = problem.mode == Pooling::Mode::kMax;
  const auto backward = planFor(keyOf(Key::Operation::kPoolingBackward, problem), [&] {
    const PoolingLayouts layouts(problem);
    const dnnl::pooling_backward::primitive_desc description(
        engine(), layouts.algorithm, layouts.x, layouts.y, problem.strides, problem.window, layouts.none,
        problem.pads, high, layouts.forward(problem, high, dnnl::prop_kind::forward_training),
        planAttributes());
    std::vector<Plan::Operand> operands{{DNNL_ARG_DIFF_DST, layouts.y, layouts.y, false},
                                        {DNNL_ARG_DIFF_SRC, layouts.x, layouts.x, true}};
    const memory::desc places = description.workspace_desc();
    if (isMax) operands.push_back({DNNL_ARG_WORKSPACE, places, places, false});
    return Plan(dnnl::pooling_backward(description), description.scratchpad_desc(), operands);
  });
  if (!isMax) {
    backward->run({problem.y.data, problem.x.data});
    return true;
  }
  // Where the maxima are, which oneDNN's training keeps.
  const auto training = planFor(keyOf(Key::Operation::kPoolingTraining, problem), [&] {
    const PoolingLayouts layouts(problem);
    const auto description = layouts.forward(problem, high, dnnl::prop_kind::forward_training);
    const memory::desc places = description.workspace_desc();
    return Plan(dnnl::pooling_forward(description), description.scratchpad_desc(),
                {{DNNL_ARG_SRC, layouts.x, layouts.x, false},
                 {DNNL_ARG_DST, layouts.y, layouts.y, true},
                 {DNNL_ARG_WORKSPACE, places, places, true}});
  });
  const Block maxima(training->bytesOf(1)), places(training->bytesOf(2));
  training->run({const_cast<void*>(in), maxima.data(), places.data()});
  backward->run({problem.y.data, problem.x.data, places.data()});
  return true;
}

bool softmax(const Array& out, const Array& in, int64_t rows, int64_t length, bool ofLogarithms) {
  if (!areFloats(out, in) || !in.isContiguous() || !out.isContiguous()) return false;
  Key key(Key::Operation::kSoftmax);
  key.add(rows).add(length).add(ofLogarithms ? 1 : 0);
  const auto plan = planFor(key, [&] {
    const memory::desc layout({rows, length}, memory::data_type::f32, memory::format_tag::ab);
    return inPlace<dnnl::softmax_forward>(
        dnnl::softmax_forward::primitive_desc(
            engine(), dnnl::prop_kind::forward_inference,
            ofLogarithms ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate, layout, layout,
            1, planAttributes()),
        layout, layout);
  });
  plan->run({in.data, out.data});
  return true;
}

bool softmaxBackward(const Array& gradIn, const Array& out, const Array& gradOut, int64_t rows,
                     int64_t length, bool ofLogarithms) {
  if (!areFloats(gradIn, out) || gradOut.element != Element::kFloat || !gradIn.isContiguous() ||
      !out.isContiguous() || !gradOut.isContiguous())
    return false;
  Key key(Key::Operation::kSoftmaxBackward);
  key.add(rows).add(length).add(ofLogarithms ? 1 : 0);
  const auto plan = planFor(key, [&] {
    const memory::desc layout({rows, length}, memory::data_type::f32, memory::format_tag::ab);
    const auto algorithm = ofLogarithms ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
    const dnnl::softmax_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training,
                                                        algorithm, layout, layout, 1, planAttributes());
    const dnnl::softmax_backward::primitive_desc description(engine(), algorithm, layout, layout, layout, 1,
                                                             forward, planAttributes());
    return Plan(dnnl::softmax_backward(description), description.scratchpad_desc(),
                {{DNNL_ARG_DST, layout, layout, false},
                 {DNNL_ARG_DIFF_DST, layout, layout, false},
                 {DNNL_ARG_DIFF_SRC, layout, layout, true}});
  });
  plan->run({out.data, gradOut.data, gradIn.data});
  return true;
}

bool localResponse(const Array& y, const Array& x, int64_t n, double alpha, double beta, double k) {
  // Of an even number oneDNN takes one more.
  if (!areFloats(y, x) || x.rank != 4 || n % 2 == 0 || !x.isContiguous() || !y.isContiguous()) return false;
  Key key(Key::Operation::kLocalResponse);
  key.add(x).add(n).add(bitsOf(alpha)).add(bitsOf(beta)).add(bitsOf(k));
  const auto plan = planFor(key, [&] {
    const memory::desc layout = floatsOf(x);
    return inPlace<dnnl::lrn_forward>(
        dnnl::lrn_forward::primitive_desc(engine(), dnnl::prop_kind::forward_inference,
                                          dnnl::algorithm::lrn_across_channels, layout, layout, n,
                                          static_cast<float>(alpha), static_cast<float>(beta),
                                          static_cast<float>(k), planAttributes()),
        layout, layout);
  });
  plan->run({x.data, y.data});
  return true;
}

bool mapElements(Function function, double alpha, const Array& out, const Array& in) {
  if (!areFloats(out, in) || !in.isContiguous() || !out.isContiguous() || !in.sameSizes(out)) return false;
  const int64_t count = in.count();
  if (count == 0) return true;
  Key key(Key::Operation::kElements);
  key.add(static_cast<int64_t>(function)).add(bitsOf(alpha)).add(count);
  const auto plan = planFor(key, [&] {
    const memory::desc layout({count}, memory::data_type::f32, memory::format_tag::a);
    return inPlace<dnnl::eltwise_forward>(
        dnnl::eltwise_forward::primitive_desc(engine(), dnnl::prop_kind::forward_inference,
                                              algorithmOf(function), layout, layout,
                                              static_cast<float>(alpha), 0.0F, planAttributes()),
        layout, layout);
  });
  plan->run({in.data, out.data});
  return true;
}

}  // namespace musashim::mudnn::onednn
