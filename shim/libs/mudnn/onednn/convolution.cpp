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

// Whether windows are single places, so that planes are rows of a product.
bool hasSinglePlaces(const Convolution& problem) {
  if (problem.groups != 1) return false;
  for (size_t i = 0; i < problem.pads.size(); ++i)
    if (problem.w.sizes[i + 2] != 1 || problem.pads[i] != 0) return false;
  return true;
}

// Whether a large filter meets few places of `array`: most of the time is the filter's then, and the copies
// of x and y that oneDNN's own layouts take are cheap.
bool isMostlyFilter(const Convolution& problem, const Array& array, int64_t weightsForPlace) {
  constexpr int64_t kLargeFilter = int64_t{1} << 18;
  if (problem.groups != 1 || problem.w.count() < kLargeFilter) return false;
  int64_t places = 1;
  for (size_t i = 0; i < problem.pads.size(); ++i) places *= array.sizes[i + 2];
  return problem.w.count() >= weightsForPlace * places;
}

enum class Result : uint8_t { kOut, kIn, kFilter };

// Whether `array`, which is x or y, is best left in its layout, as measured on processors with AVX-512.
bool keepsLayout(const Convolution& problem, Result result, const Array& array) {
  const bool isSingle = hasSinglePlaces(problem), isByChannels = array.strides[1] == 1,
             isPlain = isSingle || isByChannels,
             isMostly = result == Result::kIn ? isMostlyFilter(problem, problem.x, 2048)
                                              : isMostlyFilter(problem, problem.y, 4096);
  switch (result) {
    case Result::kOut:
      return isPlain && !isMostly;
    case Result::kIn:
      if (problem.groups == 1 && problem.x.sizes[1] < 8) return true;  // oneDNN chooses what is slower
      if (isPlain && isMostly) return isSingle && (isByChannels || problem.x.sizes[0] == 1);
      return isPlain;
    case Result::kFilter:
      return isPlain || isMostly;
  }
  return false;
}

struct Layouts {
  Layouts(const Convolution& problem, Result result)
      : filter(grouped(problem.w, problem.groups)),
        x(keepsLayout(problem, result, problem.x) ? floatsOf(problem.x) : any(problem.x)),
        w(any(filter)),
        y(keepsLayout(problem, result, problem.y) ? floatsOf(problem.y) : any(problem.y)),
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
    const Layouts layouts(problem, Result::kOut);
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
    const Layouts layouts(problem, Result::kIn);
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
    const Layouts layouts(problem, Result::kFilter);
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
