// Pooling, and tensors of other sizes by the nearest element or between two.
#include <algorithm>
#include <limits>

#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

struct Resampling {
  int mode, padding;
  std::vector<double> window, strides, before;
  size_t places() const { return window.size(); }
  bool isInterpolation() const { return mode == MUDNN_RESAMPLE_NEAREST || mode == MUDNN_RESAMPLE_BILINEAR; }
};

// A place of the image that an output comes from.
struct Source {
  int64_t place = 0;  // within a channel; -1 where it is padding
  double weight = 1;
  int64_t number = 0;  // in the window
};

// Sources of one dimension: places and weights.
std::vector<Source> along(const Resampling& how, size_t d, int64_t out, int64_t size) {
  std::vector<Source> result;
  const double begin = static_cast<double>(out) * how.strides[d] - how.before[d];
  if (how.mode == MUDNN_RESAMPLE_NEAREST)
    return {{std::clamp<int64_t>(static_cast<int64_t>(std::floor(begin + 0.5)), 0, size - 1), 1, 0}};
  if (how.mode == MUDNN_RESAMPLE_BILINEAR) {
    const double low = std::floor(begin), part = begin - low;
    for (int64_t i = 0; i < 2; ++i) {
      const int64_t at = static_cast<int64_t>(low) + i;
      const bool isInside = at >= 0 && at < size;
      const int64_t edge = std::clamp<int64_t>(at, 0, size - 1);
      result.push_back(
          {isInside || how.padding == MUDNN_EDGE_VAL_PAD ? edge : -1, i == 0 ? 1 - part : part, i});
    }
    return result;
  }
  for (int64_t i = 0; i < static_cast<int64_t>(how.window[d]); ++i) {
    const int64_t at = static_cast<int64_t>(begin) + i;
    const bool isInside = at >= 0 && at < size;
    const int64_t edge = std::clamp<int64_t>(at, 0, size - 1);
    result.push_back({isInside || how.padding == MUDNN_EDGE_VAL_PAD ? edge : -1, 1, i});
  }
  return result;
}

// All sources of an output's place, with the weights that averages have.
std::vector<Source> sourcesOf(const Resampling& how, const TensorShape& image, const TensorShape& result,
                              int64_t place) {
  std::vector<int64_t> index(how.places());
  for (size_t d = how.places(); d-- > 0;) {
    index[d] = place % result.sizes[d + 2];
    place /= result.sizes[d + 2];
  }
  std::vector<Source> all{Source{}};
  for (size_t d = 0; d < how.places(); ++d) {
    const auto own = along(how, d, index[d], image.sizes[d + 2]);
    std::vector<Source> longer;
    for (const Source& a : all)
      for (const Source& b : own)
        longer.push_back({a.place < 0 || b.place < 0 ? -1 : a.place * image.sizes[d + 2] + b.place,
                          a.weight * b.weight, a.number * static_cast<int64_t>(own.size()) + b.number});
    all = std::move(longer);
  }
  if (how.isInterpolation() || how.mode == MUDNN_RESAMPLE_MAXPOOL) return all;
  auto count = static_cast<int64_t>(all.size());
  if (how.mode == MUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING)
    count = std::count_if(all.begin(), all.end(), [](const Source& s) { return s.place >= 0; });
  for (Source& s : all) s.weight = 1 / static_cast<double>(std::max<int64_t>(count, 1));
  return all;
}

template <class V>
const Source* largest(const Resampling& how, const std::vector<Source>& sources, const V* channel) {
  const Source* best = nullptr;
  double value = -std::numeric_limits<double>::infinity();
  for (const Source& s : sources) {
    if (s.place < 0 && how.padding == MUDNN_NEG_INF_PAD) continue;
    const double own = s.place < 0 ? 0 : static_cast<double>(channel[s.place]);
    if (!best || own > value || std::isnan(own)) {
      best = &s;
      value = own;
    }
  }
  return best;
}

int64_t channelSize(const TensorShape& shape) {
  return shape.count() / std::max<int64_t>(shape.sizes[0] * shape.sizes[1], 1);
}

}  // namespace

Step resampleStep(const Descriptor& operation, Tensors& tensors) {
  const bool isForward = operation.kind == MUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR;
  const auto add = [&](int attribute) { return tensors.add(operation.reference(attribute)); };
  const Ref descriptor = operation.reference(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC
                                                       : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC);
  const int x = add(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC
                              : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC),
            y = add(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC
                              : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC),
            indices = add(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_IDXDESC
                                    : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_IDXDESC),
            formerX = isForward ? -1 : add(MUDNN_ATTR_OPERATION_RESAMPLE_BWD_XDESC),
            formerY = isForward ? -1 : add(MUDNN_ATTR_OPERATION_RESAMPLE_BWD_YDESC);
  const double alpha = operation.real(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_ALPHA
                                                : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_ALPHA,
                                      1),
               beta = operation.real(isForward ? MUDNN_ATTR_OPERATION_RESAMPLE_FWD_BETA
                                               : MUDNN_ATTR_OPERATION_RESAMPLE_BWD_BETA,
                                     0);
  const Resampling how{
      static_cast<int>(descriptor->integer(MUDNN_ATTR_RESAMPLE_MODE, MUDNN_RESAMPLE_NEAREST)),
      static_cast<int>(descriptor->integer(MUDNN_ATTR_RESAMPLE_PADDING_MODE, MUDNN_ZERO_PAD)),
      descriptor->fractions(MUDNN_ATTR_RESAMPLE_WINDOW_DIMS),
      descriptor->fractions(MUDNN_ATTR_RESAMPLE_STRIDES),
      descriptor->fractions(MUDNN_ATTR_RESAMPLE_PRE_PADDINGS)};
  const auto after = descriptor->fractions(MUDNN_ATTR_RESAMPLE_POST_PADDINGS);
  const TensorShape image = tensors[x], result = tensors[y];
  checkShape(image.rank == static_cast<int>(how.places()) + 2 && result.rank == image.rank &&
                 image.sizes[0] == result.sizes[0] && image.sizes[1] == result.sizes[1],
             "the tensors do not go with the resampling");
  for (size_t d = 0; d < how.places(); ++d) {
    const double room = static_cast<double>(image.sizes[d + 2]) + how.before[d] + after[d] - how.window[d];
    checkShape(static_cast<int64_t>(std::floor(room / how.strides[d])) + 1 == result.sizes[d + 2],
               "the output's places are not those of the resampling");
  }
  checkShape(indices < 0 || sameSizes(tensors[indices], result),
             "the indices have other sizes than the output");
  const bool isLargest = how.mode == MUDNN_RESAMPLE_MAXPOOL;
  if (!isForward && isLargest)
    checkShape(indices >= 0 || formerX >= 0, "the largest elements are told by nothing");
  Step step;
  if (isForward) {
    step.inputs = {x};
    step.outputs = {y};
    if (indices >= 0) step.outputs.push_back(indices);
  } else {
    for (const int tensor : {y, indices, formerX, formerY})
      if (tensor >= 0) step.inputs.push_back(tensor);
    step.outputs = {x};
  }
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const int64_t channels = image.sizes[0] * image.sizes[1], inPlaces = channelSize(image),
                    outPlaces = channelSize(result);
      std::vector<std::vector<Source>> sources;
      for (int64_t p = 0; p < outPlaces; ++p) sources.push_back(sourcesOf(how, image, result, p));
      if (isForward) {
        const V* const in = frame.in<V>(x);
        V *const out = frame.out<V>(y, beta != 0), *const places =
                                                       indices < 0 ? nullptr : frame.out<V>(indices);
        shareRange(
            channels, outPlaces * static_cast<int64_t>(sources[0].size()), [&](int64_t begin, int64_t end) {
              for (int64_t c = begin; c < end; ++c) {
                const V* const channel = in + c * inPlaces;
                for (int64_t p = 0; p < outPlaces; ++p) {
                  const auto& own = sources[static_cast<size_t>(p)];
                  double value = 0;
                  if (isLargest) {
                    const Source* const best = largest(how, own, channel);
                    value = !best || best->place < 0 ? 0 : static_cast<double>(channel[best->place]);
                    if (places) places[c * outPlaces + p] = static_cast<V>(best ? best->number : 0);
                  } else {
                    for (const Source& s : own)
                      if (s.place >= 0 && s.weight != 0)
                        value += s.weight * static_cast<double>(channel[s.place]);
                    if (places) places[c * outPlaces + p] = 0;
                  }
                  V& to = out[c * outPlaces + p];
                  to = static_cast<V>(alpha * value + (beta != 0 ? beta * static_cast<double>(to) : 0));
                }
              }
            });
        return;
      }
      const V *const gradient = frame.in<V>(y), *const places = indices < 0 ? nullptr : frame.in<V>(indices),
                     *const former = formerX < 0 ? nullptr : frame.in<V>(formerX);
      V* const out = frame.out<V>(x, beta != 0);
      shareRange(channels, outPlaces * static_cast<int64_t>(sources[0].size()),
                 [&](int64_t begin, int64_t end) {
                   std::vector<double> sums(static_cast<size_t>(inPlaces));
                   for (int64_t c = begin; c < end; ++c) {
                     std::fill(sums.begin(), sums.end(), 0.0);
                     for (int64_t p = 0; p < outPlaces; ++p) {
                       const auto& own = sources[static_cast<size_t>(p)];
                       const auto value = static_cast<double>(gradient[c * outPlaces + p]);
                       if (!isLargest) {
                         for (const Source& s : own)
                           if (s.place >= 0) sums[static_cast<size_t>(s.place)] += s.weight * value;
                         continue;
                       }
                       const Source* best = nullptr;
                       if (places) {
                         const auto number = static_cast<int64_t>(places[c * outPlaces + p]);
                         if (number >= 0 && number < static_cast<int64_t>(own.size()))
                           best = &own[static_cast<size_t>(number)];
                       } else {
                         best = largest(how, own, former + c * inPlaces);
                       }
                       if (best && best->place >= 0) sums[static_cast<size_t>(best->place)] += value;
                     }
                     for (int64_t i = 0; i < inPlaces; ++i) {
                       V& to = out[c * inPlaces + i];
                       to = static_cast<V>(alpha * sums[static_cast<size_t>(i)] +
                                           (beta != 0 ? beta * static_cast<double>(to) : 0));
                     }
                   }
                 });
    });
  };
  return step;
}

}  // namespace musashim::mudnn::graph
