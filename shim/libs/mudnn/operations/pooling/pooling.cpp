#include "libs/mudnn/operations/pooling/pooling.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "libs/core/share.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/layers.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/pooling/maxima.h"
#include "libs/mudnn/operations/pooling/windows.h"

namespace musashim::mudnn {
namespace {

using Mode = PoolingProblem::Mode;

void check(const PoolingProblem& problem) {
  const Array &x = problem.x, &y = problem.y;
  require(x.rank >= 3 && x.rank <= 5 && y.rank == x.rank,
          "a pooling has tensors of 3 to 5 dimensions, both alike");
  require(x.sizes[0] == y.sizes[0] && x.sizes[1] == y.sizes[1], "batch or channels of the output are others");
  const auto places = static_cast<size_t>(x.rank - 2);
  if (problem.window.empty()) return;
  require(problem.window.size() == places && problem.pads.size() == places &&
              problem.strides.size() == places && problem.dilations.size() == places,
          "the window does not go with the tensors' dimensions");
  for (size_t i = 0; i < places; ++i) {
    require(problem.window[i] >= 1 && problem.pads[i] >= 0 && problem.strides[i] >= 1 &&
                problem.dilations[i] >= 1,
            "a window, stride or dilation is less than 1, or a pad negative");
    require(problem.pads[i] < problem.window[i] * problem.dilations[i], "a pad is as large as the window");
    require(
        y.sizes[i + 2] == 0 || (y.sizes[i + 2] - 1) * problem.strides[i] - problem.pads[i] < x.sizes[i + 2],
        "the output has windows beyond the input");
  }
}

double scaleOf(const Array& array) { return array.element == Element::kQint8 ? array.scale : 1; }

// The place of the window's largest, the first of equals; what is no number is larger than all numbers. -1:
// it has no places.
template <class V>
int64_t largestPlace(const Windows& windows, int64_t window, const V* channel) {
  int64_t best = -1;
  windows.forWindow(window, Mode::kMax, [&](int64_t place) {
    if (best < 0 || channel[place] > channel[best] || !(channel[place] == channel[place])) best = place;
  });
  return best;
}

template <class V>
void forward(const PoolingProblem& problem, const Array& indices, double alpha, double beta) {
  const Windows windows(problem);
  const Input<V> x(problem.x);
  Output<V> y(problem.y, beta == 0 ? Output<V>::Content::kNew : Output<V>::Content::kKeep);
  std::vector<int64_t> found(indices.data ? static_cast<size_t>(problem.y.count()) : 0);
  const int64_t in = windows.inPlaces(), out = windows.outPlaces();
  const double factor = alpha * scaleOf(problem.x) / scaleOf(problem.y);
  shareRange(problem.y.count(), 9, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const V* const channel = x.data() + at / out * in;
      double result = 0;
      if (problem.mode == Mode::kMax) {
        const int64_t best = largestPlace(windows, at % out, channel);
        result = best < 0 ? 0 : static_cast<double>(channel[best]);
        if (indices.data) found[static_cast<size_t>(at)] = best;
      } else {
        const int64_t count = windows.forWindow(
            at % out, problem.mode, [&](int64_t place) { result += static_cast<double>(channel[place]); });
        result /= static_cast<double>(problem.divisor ? problem.divisor : std::max<int64_t>(count, 1));
      }
      y[at] = static_cast<V>(factor * result + (beta == 0 ? 0 : beta * static_cast<double>(y[at])));
    }
  });
  y.store();
  if (indices.data) writePart(indices, 0, indices.count(), found.data());
}

template <class V>
void backward(const PoolingProblem& problem, const PoolingLargest& largest, double alpha, double beta) {
  const Windows windows(problem);
  const Input<V> dy(problem.y);
  Output<V> dx(problem.x, beta == 0 ? Output<V>::Content::kNew : Output<V>::Content::kKeep);
  std::unique_ptr<Input<int64_t>> indices;
  std::unique_ptr<Input<V>> x;
  if (largest.indices.data) indices = std::make_unique<Input<int64_t>>(largest.indices);
  if (largest.in.data) x = std::make_unique<Input<V>>(largest.in);
  const int64_t in = windows.inPlaces(), out = windows.outPlaces();
  const int64_t channels = problem.x.sizes[0] * problem.x.sizes[1];
  shareRange(channels, in + out * 9, [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(in));
    for (int64_t channel = begin; channel < end; ++channel) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int64_t place = 0; place < out; ++place) {
        const double gradient = static_cast<double>(dy[channel * out + place]);
        if (problem.mode == Mode::kMax) {
          const int64_t best = indices ? (*indices)[channel * out + place]
                                       : largestPlace(windows, place, x->data() + channel * in);
          if (best >= 0 && best < in) sums[static_cast<size_t>(best)] += gradient;
          continue;
        }
        const int64_t count = windows.forWindow(place, problem.mode, [](int64_t) {});
        const double share =
            gradient / static_cast<double>(problem.divisor ? problem.divisor : std::max<int64_t>(count, 1));
        windows.forWindow(place, problem.mode, [&](int64_t at) { sums[static_cast<size_t>(at)] += share; });
      }
      V* const to = dx.data() + channel * in;
      for (int64_t i = 0; i < in; ++i)
        to[i] = static_cast<V>(alpha * sums[static_cast<size_t>(i)] +
                               (beta == 0 ? 0 : beta * static_cast<double>(to[i])));
    }
  });
  dx.store();
}

// Whether there are others than numbers above minus infinity, whose maxima oneDNN finds otherwise.
bool hasOthers(const Array& array) {
  const auto* const values = static_cast<const float*>(array.data);
  std::atomic<bool> found = false;
  shareRange(array.count(), 1, [&](int64_t begin, int64_t end) {
    int32_t any = 0;  // without a branch, so that it is done in vectors
    for (int64_t i = begin; i < end; ++i) any |= values[i] >= std::numeric_limits<float>::lowest() ? 0 : 1;
    if (any != 0) found = true;
  });
  return found;
}

// Whether oneDNN has such a pooling.
bool isOfEngine(const PoolingProblem& problem, double alpha, double beta) {
  return alpha == 1 && beta == 0 && problem.divisor == 0 && !problem.window.empty() &&
         problem.x.element == Element::kFloat && problem.y.element == Element::kFloat &&
         onednn::isDense(problem.x) &&
         std::all_of(problem.dilations.begin(), problem.dilations.end(), [](int64_t d) { return d == 1; });
}

onednn::Pooling engineProblemOf(const PoolingProblem& problem) {
  const auto mode = problem.mode == Mode::kMax              ? onednn::Pooling::Mode::kMax
                    : problem.mode == Mode::kAverageWithPad ? onednn::Pooling::Mode::kAverageWithPad
                                                            : onednn::Pooling::Mode::kAverageWithoutPad;
  return {mode, problem.x, problem.y, problem.window, problem.pads, problem.strides};
}

// run(partOf), of which partOf(array) is the same channels of one image of x or of what goes with it.
template <class Run>
void forParts(const Array& x, Run&& run) {
  constexpr int64_t kBlock = 16;  // channels that oneDNN has at once
  constexpr int64_t kCached = (int64_t{1} << 20) / static_cast<int64_t>(sizeof(float));
  // So that the second look at a part finds it in the processor's cache. Channels that lie next to each other
  // stay together.
  int64_t channels = x.sizes[1];
  if (x.strides[1] != 1 && x.strides[1] > 0) {
    const int64_t least = kBlock * static_cast<int64_t>(libs::sharingThreads()),
                  fitting = kCached / x.strides[1] / kBlock * kBlock;
    channels = std::min(channels, std::max(least, fitting));
  }
  for (int64_t i = 0; i < x.sizes[0]; ++i)
    for (int64_t c = 0; c < x.sizes[1]; c += channels)
      run([=, count = std::min(channels, x.sizes[1] - c)](const Array& array) {
        Array part = array;
        part.sizes[0] = 1;
        part.sizes[1] = count;
        if (count != array.sizes[1]) part.strides[0] = count * array.strides[1];
        part.data = static_cast<float*>(array.data) + i * array.strides[0] + c * array.strides[1];
        return part;
      });
}

// Averages by oneDNN and maxima of floats in vectors, if it is as they have it.
bool forwardFast(const PoolingProblem& problem, const Array& indices, double alpha, double beta) {
  if (indices.data || alpha != 1 || beta != 0) return false;
  if (problem.mode == Mode::kMax) return maximaOfWindows(problem);
  return isOfEngine(problem, alpha, beta) && onednn::poolingForward(engineProblemOf(problem));
}

bool backwardByEngine(const PoolingProblem& problem, const PoolingLargest& largest, double alpha,
                      double beta) {
  if (largest.indices.data || !isOfEngine(problem, alpha, beta)) return false;
  if (problem.mode != Mode::kMax) return onednn::poolingBackward(engineProblemOf(problem), nullptr);
  const Array &in = largest.in, &x = problem.x;
  if (in.element != Element::kFloat ||
      !std::equal(in.strides.begin(), in.strides.begin() + in.rank, x.strides.begin()))
    return false;
  const Array &out = largest.out, &y = problem.y;
  const bool goesWithOut = out.data && out.element == Element::kFloat && onednn::isDense(out) &&
                           std::equal(out.strides.begin(), out.strides.begin() + out.rank, y.strides.begin());
  forParts(x, [&](const auto& partOf) {
    PoolingProblem part = problem;
    part.x = partOf(x);
    part.y = partOf(problem.y);
    PoolingLargest largestOf;
    largestOf.in = partOf(in);
    // The output tells, and is smaller.
    if (hasOthers(goesWithOut ? partOf(largest.out) : largestOf.in) ||
        !onednn::poolingBackward(engineProblemOf(part), largestOf.in.data))
      backward<float>(part, largestOf, 1, 0);
  });
  return true;
}

}  // namespace

Work poolingForward(const PoolingProblem& problem, const Array& indices, double alpha, double beta) {
  check(problem);
  require(!indices.data || indices.sameSizes(problem.y), "the indices have other sizes than the output");
  return [=] {
    if (problem.y.count() == 0) return;
    if (problem.x.count() != 0 && forwardFast(problem, indices, alpha, beta)) return;
    if (kindOf(problem.x.element) == Kind::kFloat)
      forward<float>(problem, indices, alpha, beta);
    else
      forward<double>(problem, indices, alpha, beta);
  };
}

Work poolingBackward(const PoolingProblem& problem, const PoolingLargest& largest, double alpha,
                     double beta) {
  check(problem);
  require(problem.mode != Mode::kMax || largest.indices.data || largest.in.data,
          "the gradient of maxima needs the places of the maxima");
  require(!largest.indices.data || largest.indices.sameSizes(problem.y),
          "the indices have other sizes than the output");
  return [=] {
    if (problem.x.count() == 0) return;
    if (problem.y.count() != 0 && backwardByEngine(problem, largest, alpha, beta)) return;
    if (kindOf(problem.x.element) == Kind::kFloat)
      backward<float>(problem, largest, alpha, beta);
    else
      backward<double>(problem, largest, alpha, beta);
  };
}

}  // namespace musashim::mudnn
