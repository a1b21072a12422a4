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

MUDNN_CLONES void setLarger(float* to, const float* a, const float* b, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = larger(a[i], b[i]);
}

// Of every second element.
MUDNN_CLONES void takeLargerOfPairs(float* to, const float* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = larger(to[i], from[2 * i]);
}

MUDNN_CLONES void setLargerOfPairs(float* to, const float* a, const float* b, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = larger(a[2 * i], b[2 * i]);
}

// to[i] is the largest of the `window` elements from first[i * stride] on.
void setLargest(float* to, const float* first, int64_t window, int64_t stride, int64_t count) {
  const int64_t second = window > 1 ? 1 : 0;
  if (stride == 1) {
    setLarger(to, first, first + second, count);
    for (int64_t i = 2; i < window; ++i) takeLarger(to, first + i, count);
  } else if (stride == 2) {
    setLargerOfPairs(to, first, first + second, count);
    for (int64_t i = 2; i < window; ++i) takeLargerOfPairs(to, first + i, count);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      to[i] = first[i * stride];
      for (int64_t k = 1; k < window; ++k) to[i] = larger(to[i], first[i * stride + k]);
    }
  }
}

// What a window has of a dimension, which is something.
struct Reach {
  Reach(const Windows& windows, int dimension, int64_t at) {
    if (windows.isAdaptive) {
      const Windows::Range range = windows.range(dimension, at);
      begin = range.begin, end = range.end;
      return;
    }
    const int64_t first = at * windows.stride[dimension] - windows.pad[dimension];
    begin = std::max<int64_t>(first, 0);
    end = std::min(first + windows.window[dimension], windows.in[dimension]);
  }
  int64_t begin, end;
};

// A row of y from the largest of the window's rows of x.
void maximaOfRow(const Windows& windows, const float* row, float* y) {
  const int64_t width = windows.in[2], count = windows.out[2];
  const auto one = [&](int64_t at) {
    const Reach reach(windows, 2, at);
    setLargest(y + at, row + reach.begin, reach.end - reach.begin, 1, 1);
  };
  // Windows of [begin, end) lie inside.
  int64_t begin = count, end = count;
  const int64_t stride = windows.stride[2], pad = windows.pad[2], window = windows.window[2];
  if (!windows.isAdaptive && window <= width + pad) {
    begin = std::min(count, (pad + stride - 1) / stride);
    end = std::clamp((width - window + pad) / stride + 1, begin, count);
  }
  for (int64_t at = 0; at < begin; ++at) one(at);
  if (begin < end) setLargest(y + begin, row + begin * stride - pad, window, stride, end - begin);
  for (int64_t at = end; at < count; ++at) one(at);
}

// The largest of rows, element by element.
void largestOfRows(const Windows& windows, const float* channel, const Reach& a, const Reach& b,
                   float* largest) {
  const int64_t width = windows.in[2];
  const float* before = nullptr;
  bool isFirst = true;
  for (int64_t i = a.begin; i < a.end; ++i)
    for (int64_t j = b.begin; j < b.end; ++j) {
      const float* const row = channel + (i * windows.in[1] + j) * width;
      if (!before) {
        before = row;
      } else if (isFirst) {
        setLarger(largest, before, row, width);
        isFirst = false;
      } else {
        takeLarger(largest, row, width);
      }
    }
  if (isFirst) std::copy_n(before, width, largest);
}

void byRows(const PoolingProblem& problem, const Windows& windows) {
  const auto* const x = static_cast<const float*>(problem.x.data);
  auto* const y = static_cast<float*>(problem.y.data);
  const int64_t width = windows.in[2], planes = windows.out[0], rows = windows.out[1];
  shareRange(problem.y.count() / windows.out[2], width * 3, [&](int64_t begin, int64_t end) {
    std::vector<float> largest(static_cast<size_t>(width));
    int64_t plane = begin / rows, row = begin % rows;
    for (int64_t at = begin; at < end; ++at) {
      const float* const channel = x + plane / planes * windows.inPlaces();
      largestOfRows(windows, channel, Reach(windows, 0, plane % planes), Reach(windows, 1, row),
                    largest.data());
      maximaOfRow(windows, largest.data(), y + at * windows.out[2]);
      if (++row < rows) continue;
      row = 0;
      ++plane;
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
