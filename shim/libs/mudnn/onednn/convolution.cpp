// Convolutions of floats. oneDNN chooses layouts; what lies otherwise is copied before and after.
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/support.h"

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

struct Layouts {
  explicit Layouts(const Convolution& problem)
      : filter(grouped(problem.w, problem.groups)),
        x(any(problem.x)),
        w(any(filter)),
        y(any(problem.y)),
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
            layouts.high};
  return {engine(),        dnnl::prop_kind::forward_training,
          kAlgorithm,      layouts.x,
          layouts.w,       layouts.y,
          layouts.strides, layouts.dilations,
          layouts.low,     layouts.high};
}

// A place for the result as the primitive writes it, and its way home.
class Result {
 public:
  Result(const Array& array, const memory::desc& layout) : home_(memoryOf(array)), made_(home_) {
    if (home_.get_desc() != layout) made_ = memory(layout, engine());
  }
  memory& made() { return made_; }
  void bringHome() {
    if (made_.get() == home_.get()) return;
    dnnl::stream queue = stream();
    dnnl::reorder(made_, home_).execute(queue, made_, home_);
  }

 private:
  memory home_, made_;
};

}  // namespace

void convolutionForward(const Convolution& problem) {
  const Layouts layouts(problem);
  const bool hasBias = problem.bias.data;
  const memory::desc bias = hasBias ? floatsOf(problem.bias) : memory::desc();
  const auto description = forward(layouts, hasBias ? &bias : nullptr);
  const memory x = reordered(memoryOf(problem.x), description.src_desc());
  const memory w = reordered(memoryOf(layouts.filter), description.weights_desc());
  Result y(problem.y, description.dst_desc());
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DST, y.made()}};
  if (hasBias) arguments.emplace(DNNL_ARG_BIAS, memoryOf(problem.bias));
  dnnl::convolution_forward(description).execute(stream(), arguments);
  y.bringHome();
}

void convolutionBackwardData(const Convolution& problem) {
  const Layouts layouts(problem);
  const dnnl::convolution_backward_data::primitive_desc description(
      engine(), kAlgorithm, layouts.x, layouts.w, layouts.y, layouts.strides, layouts.dilations, layouts.low,
      layouts.high, forward(layouts, nullptr));
  const memory dy = reordered(memoryOf(problem.y), description.diff_dst_desc());
  const memory w = reordered(memoryOf(layouts.filter), description.weights_desc());
  Result dx(problem.x, description.diff_src_desc());
  dnnl::convolution_backward_data(description)
      .execute(stream(), {{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DIFF_SRC, dx.made()}});
  dx.bringHome();
}

void convolutionBackwardFilter(const Convolution& problem) {
  const Layouts layouts(problem);
  const dnnl::convolution_backward_weights::primitive_desc description(
      engine(), kAlgorithm, layouts.x, layouts.w, layouts.y, layouts.strides, layouts.dilations, layouts.low,
      layouts.high, forward(layouts, nullptr));
  const memory dy = reordered(memoryOf(problem.y), description.diff_dst_desc());
  const memory x = reordered(memoryOf(problem.x), description.src_desc());
  Result dw(layouts.filter, description.diff_weights_desc());
  dnnl::convolution_backward_weights(description)
      .execute(stream(), {{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_WEIGHTS, dw.made()}});
  dw.bringHome();
}

}  // namespace musashim::mudnn::onednn
