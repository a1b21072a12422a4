#include "libs/mudnn/onednn/layers.h"

#include <algorithm>
#include <cstring>

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

}  // namespace

bool poolingForward(const Pooling& problem) {
  const Array &x = problem.x, &y = problem.y;
  if (!areFloats(y, x) || !isDense(x) || !isDense(y)) return false;
  std::vector<int64_t> high(problem.pads);
  for (size_t i = 0; i < high.size(); ++i) {
    high[i] = (y.sizes[i + 2] - 1) * problem.strides[i] + problem.window[i] - x.sizes[i + 2] - high[i];
    if (high[i] > problem.pads[i]) return false;  // averages would count more than there is
  }
  Key key(Key::Operation::kPooling);
  key.add(static_cast<int64_t>(problem.mode)).add(x).add(y);
  key.add(problem.window).add(problem.pads).add(problem.strides);
  const auto plan = planFor(key, [&] {
    const auto algorithm = problem.mode == Pooling::Mode::kMax ? dnnl::algorithm::pooling_max
                           : problem.mode == Pooling::Mode::kAverageWithPad
                               ? dnnl::algorithm::pooling_avg_include_padding
                               : dnnl::algorithm::pooling_avg_exclude_padding;
    const memory::desc in = floatsOf(x), out = floatsOf(y);
    return inPlace<dnnl::pooling_forward>(
        dnnl::pooling_forward::primitive_desc(
            engine(), dnnl::prop_kind::forward_inference, algorithm, in, out, problem.strides, problem.window,
            memory::dims(high.size(), 0), problem.pads, high, planAttributes()),
        in, out);
  });
  plan->run({x.data, y.data});
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
