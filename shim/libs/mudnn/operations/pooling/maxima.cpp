#include "libs/mudnn/operations/pooling/maxima.h"

#include <vector>

#include "libs/core/clones.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/operations/pooling/windows.h"

#define MUDNN_CLONES MUSASHIM_CLONES("arch=haswell", "default")

namespace musashim::mudnn {
namespace {

inline float larger(float a, float b) { return b > a || b != b ? b : a; }

MUDNN_CLONES void takeLarger(float* to, const float* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = larger(to[i], from[i]);
}

MUDNN_CLONES void takeLargerOfPairs(float* to, const float* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = larger(to[i], from[2 * i]);
}

void takeLargerApart(float* to, const float* from, int64_t stride, int64_t count) {
  if (stride == 1) return takeLarger(to, from, count);
  if (stride == 2) return takeLargerOfPairs(to, from, count);
  for (int64_t i = 0; i < count; ++i) to[i] = larger(to[i], from[i * stride]);
}

// A row of y from the largest of the window's rows of x.
void maximaOfRow(const Windows& windows, const float* row, float* y) {
  const int64_t width = windows.in[2], count = windows.out[2];
  const auto one = [&](int64_t at) {
    const Windows::Range range = windows.range(2, at);
    y[at] = row[range.begin];
    for (int64_t i = range.begin; i < range.end; i += range.step) y[at] = larger(y[at], row[i]);
  };
  // Windows of [begin, end) lie inside.
  int64_t begin = count, end = count;
  const int64_t stride = windows.stride[2], pad = windows.pad[2], reach = windows.window[2] - 1;
  if (!windows.isAdaptive && reach < width + pad) {
    begin = std::min(count, (pad + stride - 1) / stride);
    end = std::clamp((width - 1 - reach + pad) / stride + 1, begin, count);
  }
  for (int64_t at = 0; at < begin; ++at) one(at);
  const float* const first = row + begin * stride - pad;
  for (int64_t i = 0; i < end - begin; ++i) y[begin + i] = first[i * stride];
  for (int64_t i = 1; i <= reach; ++i) takeLargerApart(y + begin, first + i, stride, end - begin);
  for (int64_t at = end; at < count; ++at) one(at);
}

void byRows(const PoolingProblem& problem, const Windows& windows) {
  const auto* const x = static_cast<const float*>(problem.x.data);
  auto* const y = static_cast<float*>(problem.y.data);
  const int64_t width = windows.in[2], rows = windows.out[0] * windows.out[1];
  shareRange(problem.y.count() / windows.out[2], width * 3, [&](int64_t begin, int64_t end) {
    std::vector<float> largest(static_cast<size_t>(width));
    for (int64_t at = begin; at < end; ++at) {
      const float* const channel = x + at / rows * windows.inPlaces();
      const Windows::Range a = windows.range(0, at % rows / windows.out[1]),
                           b = windows.range(1, at % windows.out[1]);
      const float* const first = channel + (a.begin * windows.in[1] + b.begin) * width;
      std::copy_n(first, width, largest.data());
      for (int64_t i = a.begin; i < a.end; i += a.step)
        for (int64_t j = b.begin; j < b.end; j += b.step) {
          const float* const row = channel + (i * windows.in[1] + j) * width;
          if (row != first) takeLarger(largest.data(), row, width);
        }
      maximaOfRow(windows, largest.data(), y + at * windows.out[2]);
    }
  });
}

void byChannels(const PoolingProblem& problem, const Windows& windows) {
  const auto* const x = static_cast<const float*>(problem.x.data);
  auto* const y = static_cast<float*>(problem.y.data);
  const int64_t channels = problem.x.sizes[1], places = windows.outPlaces();
  shareRange(problem.y.count() / channels, channels * 9, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const float* const image = x + at / places * windows.inPlaces() * channels;
      float* const to = y + at * channels;
      bool isFirst = true;
      windows.forWindow(at % places, problem.mode, [&](int64_t place) {
        if (isFirst)
          std::copy_n(image + place * channels, channels, to);
        else
          takeLarger(to, image + place * channels, channels);
        isFirst = false;
      });
    }
  });
}

// Whether channels are next to each other and all else is row by row.
bool liesByChannels(const Array& array) {
  std::array<int, kMaxRank> order{};
  for (int i = 1; i + 1 < array.rank; ++i) order[static_cast<size_t>(i)] = i + 1;
  order[static_cast<size_t>(array.rank - 1)] = 1;
  return permuted(array, order.data()).isContiguous();
}

}  // namespace

bool maximaOfWindows(const PoolingProblem& problem) {
  const Array &x = problem.x, &y = problem.y;
  if (problem.mode != PoolingProblem::Mode::kMax || x.element != Element::kFloat ||
      y.element != Element::kFloat || x.count() == 0 || y.count() == 0)
    return false;
  const Windows windows(problem);
  if (std::any_of(std::begin(windows.dilation), std::end(windows.dilation), [](int64_t d) { return d != 1; }))
    return false;  // such windows may be empty
  if (x.isContiguous() && y.isContiguous()) {
    byRows(problem, windows);
    return true;
  }
  if (!liesByChannels(x) || !liesByChannels(y)) return false;
  byChannels(problem, windows);
  return true;
}

}  // namespace musashim::mudnn
