// Divisive normalisation (Jarrett and others, "What is the Best Multi-Stage Architecture for Object
// Recognition?", 2009).
#include <algorithm>
#include <cmath>

#include "libs/mudnn/operations/lrn.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

// A channel's places as three dimensions, and the window around each.
struct Places {
  Places(const LocalResponse& norm, const Array& array) {
    for (size_t i = 0; i < 3; ++i) {
      const auto count = static_cast<size_t>(array.rank - 2);
      sizes[i] = i + count >= 3 ? array.sizes[i + count - 1] : 1;
      windows[i] = i + count >= 3 ? norm.n : 1;
    }
  }
  int64_t count() const { return sizes[0] * sizes[1] * sizes[2]; }
  double window() const { return static_cast<double>(windows[0] * windows[1] * windows[2]); }
  // each(place) for all of the window around one.
  template <class Each>
  void around(int64_t place, Each&& each) const {
    const int64_t at[3] = {place / sizes[2] / sizes[1], place / sizes[2] % sizes[1], place % sizes[2]};
    int64_t begin[3], end[3];
    for (size_t i = 0; i < 3; ++i) {
      const int64_t first = at[i] - (windows[i] - 1) / 2;
      begin[i] = std::max<int64_t>(first, 0);
      end[i] = std::min(first + windows[i], sizes[i]);
    }
    for (int64_t a = begin[0]; a < end[0]; ++a)
      for (int64_t b = begin[1]; b < end[1]; ++b)
        for (int64_t c = begin[2]; c < end[2]; ++c) each((a * sizes[1] + b) * sizes[2] + c);
  }

  int64_t sizes[3], windows[3];
};

void check(const Array& out, const Array& x, const Array& means) {
  requireReal({&out, &x, &means});
  require((x.rank == 4 || x.rank == 5) && out.sameSizes(x),
          "the tensors have different sizes, or not 4 or 5");
  require(!means.data || means.sameSizes(x), "the means have other sizes than the input");
}

// run(places, channel's first element) for all channels, on several threads.
template <class Run>
void forChannels(const LocalResponse& norm, const Array& x, Run&& run) {
  const Places places(norm, x);
  shareRange(x.sizes[0] * x.sizes[1], places.count() * 8 * static_cast<int64_t>(places.window()),
             [&](int64_t begin, int64_t end) {
               for (int64_t channel = begin; channel < end; ++channel) run(places, channel * places.count());
             });
}

template <class V>
double scaleAt(const LocalResponse& norm, const Places& places, const Input<V>& in, int64_t first, int64_t at,
               double mean) {
  double squares = 0;
  places.around(at, [&](int64_t other) {
    const double value = static_cast<double>(in[first + other]) - mean;
    squares += value * value;
  });
  return norm.k + norm.alpha / places.window() * squares;
}

// How much one place's scale changes the result, by the square of an element.
template <class V>
double partAt(const LocalResponse& norm, const Places& places, double scale, V dy, V x) {
  return static_cast<double>(dy) * static_cast<double>(x) * norm.beta * std::pow(scale, -norm.beta - 1) * 2 *
         norm.alpha / places.window();
}

}  // namespace

Work divisive(const LocalResponse& norm, const Array& y, const Array& x, const Array& means) {
  check(y, x, means);
  return [=] {
    withReal({&x, &y}, [&]<class V>(V) {
      const Input<V> in(x);
      const Optional<V> mean(means, V(0));
      Output<V> out(y);
      forChannels(norm, x, [&](const Places& places, int64_t first) {
        for (int64_t at = 0; at < places.count(); ++at)
          out[first + at] = static_cast<V>(
              static_cast<double>(in[first + at]) *
              std::pow(scaleAt(norm, places, in, first, at, static_cast<double>(mean[first + at])),
                       -norm.beta));
      });
      out.store();
    });
  };
}

Work divisiveBackward(const LocalResponse& norm, const Array& dx, const Array& x, const Array& means,
                      const Array& dy) {
  check(dx, x, means);
  check(dy, x, Array());
  return [=] {
    withReal({&x, &dx, &dy}, [&]<class V>(V) {
      const Input<V> in(x), gradient(dy);
      const Optional<V> mean(means, V(0));
      Output<V> out(dx);
      forChannels(norm, x, [&](const Places& places, int64_t first) {
        std::vector<double> scales, parts;
        for (int64_t at = first; at < first + places.count(); ++at) {
          scales.push_back(scaleAt(norm, places, in, first, at - first, static_cast<double>(mean[at])));
          parts.push_back(partAt(norm, places, scales.back(), gradient[at], in[at]));
        }
        for (int64_t at = 0; at < places.count(); ++at) {
          const double own = static_cast<double>(in[first + at]);
          double sum = 0;
          places.around(at, [&](int64_t other) {
            sum += parts[static_cast<size_t>(other)] * (own - static_cast<double>(mean[first + other]));
          });
          out[first + at] = static_cast<V>(static_cast<double>(gradient[first + at]) *
                                               std::pow(scales[static_cast<size_t>(at)], -norm.beta) -
                                           sum);
        }
      });
      out.store();
    });
  };
}

Work divisiveBackwardMeans(const LocalResponse& norm, const Array& dMeans, const Array& x, const Array& means,
                           const Array& dy) {
  check(dMeans, x, means);
  check(dy, x, Array());
  return [=] {
    withReal({&x, &dMeans, &dy}, [&]<class V>(V) {
      const Input<V> in(x), gradient(dy);
      const Optional<V> mean(means, V(0));
      Output<V> out(dMeans);
      forChannels(norm, x, [&](const Places& places, int64_t first) {
        for (int64_t at = 0; at < places.count(); ++at) {
          const double middle = static_cast<double>(mean[first + at]);
          double sum = 0;
          places.around(at, [&](int64_t other) { sum += static_cast<double>(in[first + other]) - middle; });
          out[first + at] =
              static_cast<V>(sum * partAt(norm, places, scaleAt(norm, places, in, first, at, middle),
                                          gradient[first + at], in[first + at]));
        }
      });
      out.store();
    });
  };
}

}  // namespace musashim::mudnn
