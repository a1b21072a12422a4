// Convolutions of floats. oneDNN chooses layouts; what lies otherwise is copied before and after.
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/plan.h"

namespace musashim::mudnn::onednn {
namespace {

using dnnl::memory;

constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;

// The filter with a dimension of groups in front.
Array grouped(const Array& filter, int groups) {
  if (groups == 1) return filter;
  Array result = filter;
  ++result.rank;
  for (int i = filter.rank; i > 0; --i) {
    result.sizes[static_cast<size_t>(i)] = filter.sizes[static_cast<size_t>(i - 1)];
    result.strides[static_cast<size_t>(i)] = filter.strides[static_cast<size_t>(i - 1)];
  }
  result.sizes[0] = groups;
  result.sizes[1] = filter.sizes[0] / groups;
  result.strides[0] = filter.strides[0] * result.sizes[1];
  return result;
}

// Whether the array's own layout is best left as it is: channels are next to each other, or windows are
// single places one after the other, so that a plane is a row of a product.
bool keepsLayout(const Convolution& problem, const Array& array) {
  if (array.strides[1] == 1) return true;
  int64_t window = 1;
  bool isWhole = true;
  for (size_t i = 0; i < problem.strides.size(); ++i) {
    window *= problem.w.sizes[i + 2];
    isWhole = isWhole && problem.strides[i] == 1 && problem.pads[i] == 0;
  }
  return window == 1 && isWhole && problem.groups == 1;
}

// The gradient of x, also where windows are single places apart, and of few channels: what oneDNN would
// choose is slower than its way for the layouts as they are.
bool gradientKeepsLayouts(const Convolution& problem) {
  if (problem.groups != 1) return false;
  if (problem.x.sizes[1] < 8) return true;
  for (size_t i = 0; i < problem.pads.size(); ++i)
    if (problem.w.sizes[i + 2] != 1 || problem.pads[i] != 0) return false;
  return true;
}

struct Layouts {
  explicit Layouts(const Convolution& problem, bool keeps = false)
      : filter(grouped(problem.w, problem.groups)),
        x(keeps ? floatsOf(problem.x) : wanted(problem, problem.x)),
        w(any(filter)),
        y(keeps ? floatsOf(problem.y) : wanted(problem, problem.y)),
        strides(problem.strides),
        dilations(problem.dilations),
        low(problem.pads),
        high(problem.pads) {
    for (auto& dilation : dilations) --dilation;
    for (size_t i = 0; i < low.size(); ++i)
      high[i] = (problem.y.sizes[i + 2] - 1) * strides[i] +
                (dilations[i] + 1) * (problem.w.sizes[i + 2] - 1) + 1 - problem.x.sizes[i + 2] - low[i];
  }

  static memory::desc any(const Array& array) {
    return {dimsOf(array), memory::data_type::f32, memory::format_tag::any};
  }
  static memory::desc wanted(const Convolution& problem, const Array& array) {
    return keepsLayout(problem, array) ? floatsOf(array) : any(array);
  }

  Array filter;
  memory::desc x, w, y;
  memory::dims strides, dilations, low, high;
};

dnnl::convolution_forward::primitive_desc forward(const Layouts& layouts, const memory::desc* bias) {
  if (bias)
    return {engine(),          dnnl::prop_kind::forward_training,
            kAlgorithm,        layouts.x,
            layouts.w,         *bias,
            layouts.y,         layouts.strides,
            layouts.dilations, layouts.low,
            layouts.high,      planAttributes()};
  return {engine(),        dnnl::prop_kind::forward_training,
          kAlgorithm,      layouts.x,
          layouts.w,       layouts.y,
          layouts.strides, layouts.dilations,
          layouts.low,     layouts.high,
          planAttributes()};
}

Key keyOf(Key::Operation operation, const Convolution& problem) {
  Key key(operation);
  key.add(problem.x).add(problem.w).add(problem.y).add(problem.groups).add(problem.bias.data ? 1 : 0);
  key.add(problem.pads).add(problem.strides).add(problem.dilations);
  return key;
}

}  // namespace

void convolutionForward(const Convolution& problem) {
  const bool hasBias = problem.bias.data;
  const auto plan = planFor(keyOf(Key::Operation::kForward, problem), [&] {
    const Layouts layouts(problem);
    const memory::desc bias = hasBias ? floatsOf(problem.bias) : memory::desc();
    const auto description = forward(layouts, hasBias ? &bias : nullptr);
    std::vector<Plan::Operand> operands{
        {DNNL_ARG_SRC, floatsOf(problem.x), description.src_desc(), false},
        {DNNL_ARG_WEIGHTS, floatsOf(layouts.filter), description.weights_desc(), false},
        {DNNL_ARG_DST, floatsOf(problem.y), description.dst_desc(), true}};
    if (hasBias) operands.push_back({DNNL_ARG_BIAS, bias, description.bias_desc(), false});
    return Plan(dnnl::convolution_forward(description), description.scratchpad_desc(), operands);
  });
  if (hasBias)
    plan->run({problem.x.data, problem.w.data, problem.y.data, problem.bias.data});
  else
    plan->run({problem.x.data, problem.w.data, problem.y.data});
}

void convolutionBackwardData(const Convolution& problem) {
  const auto plan = planFor(keyOf(Key::Operation::kBackwardData, problem), [&] {
    const Layouts layouts(problem, gradientKeepsLayouts(problem));
    const dnnl::convolution_backward_data::primitive_desc description(
        engine(), kAlgorithm, layouts.x, layouts.w, layouts.y, layouts.strides, layouts.dilations,
        layouts.low, layouts.high, forward(layouts, nullptr), planAttributes());
    return Plan(dnnl::convolution_backward_data(description), description.scratchpad_desc(),
                {{DNNL_ARG_DIFF_DST, floatsOf(problem.y), description.diff_dst_desc(), false},
                 {DNNL_ARG_WEIGHTS, floatsOf(layouts.filter), description.weights_desc(), false},
                 {DNNL_ARG_DIFF_SRC, floatsOf(problem.x), description.diff_src_desc(), true}});
  });
  plan->run({problem.y.data, problem.w.data, problem.x.data});
}

void convolutionBackwardFilter(const Convolution& problem) {
  const auto plan = planFor(keyOf(Key::Operation::kBackwardFilter, problem), [&] {
    const Layouts layouts(problem);
    const dnnl::convolution_backward_weights::primitive_desc description(
        engine(), kAlgorithm, layouts.x, layouts.w, layouts.y, layouts.strides, layouts.dilations,
        layouts.low, layouts.high, forward(layouts, nullptr), planAttributes());
    return Plan(dnnl::convolution_backward_weights(description), description.scratchpad_desc(),
                {{DNNL_ARG_DIFF_DST, floatsOf(problem.y), description.diff_dst_desc(), false},
                 {DNNL_ARG_SRC, floatsOf(problem.x), description.src_desc(), false},
                 {DNNL_ARG_DIFF_WEIGHTS, floatsOf(layouts.filter), description.diff_weights_desc(), true}});
  });
  plan->run({problem.y.data, problem.x.data, problem.w.data});
}

}  // namespace musashim::mudnn::onednn
