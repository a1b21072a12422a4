#include "libs/mudnn/operations/lrn.h"

#include <algorithm>
#include <cmath>

#include "libs/mudnn/onednn/layers.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

struct Channels {
  explicit Channels(const Array& array)
      : batch(array.sizes[0]),
        count(array.sizes[1]),
        places(array.count() / std::max<int64_t>(batch * count, 1)) {}
  int64_t batch, count, places;
};

void check(const Array& a, const Array& b) {
  requireReal({&a, &b});
  require(a.rank >= 2 && a.sameSizes(b), "the tensors have different sizes or no channels");
}

// The channels around one that are added up: as many before as behind, one more behind where n is even.
struct Around {
  Around(const LocalResponse& norm, int64_t channel, int64_t count)
      : begin(std::max<int64_t>(channel - (norm.n - 1) / 2, 0)),
        end(std::min(channel + norm.n / 2 + 1, count)) {}
  int64_t begin, end;
};

}  // namespace

Work localResponse(const LocalResponse& norm, const Array& y, const Array& x) {
  check(y, x);
  return [=] {
    if (x.count() == 0 || onednn::localResponse(y, x, norm.n, norm.alpha, norm.beta, norm.k)) return;
    const Channels c(x);
    withReal({&x, &y}, [&]<class V>(V) {
      const Input<V> in(x);
      Output<V> out(y);
      shareRange(c.batch * c.count * c.places, norm.n * 4, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; ++at) {
          const int64_t channel = at / c.places % c.count, first = at - channel * c.places;
          const Around around(norm, channel, c.count);
          double squares = 0;
          for (int64_t i = around.begin; i < around.end; ++i) {
            const double value = static_cast<double>(in[first + i * c.places]);
            squares += value * value;
          }
          out[at] = static_cast<V>(
              static_cast<double>(in[at]) *
              std::pow(norm.k + norm.alpha / static_cast<double>(norm.n) * squares, -norm.beta));
        }
      });
      out.store();
    });
  };
}

Work localResponseBackward(const LocalResponse& norm, const Array& dx, const Array& x, const Array& dy) {
  check(dx, x);
  check(dy, x);
  return [=] {
    const Channels c(x);
    withReal({&x, &dx, &dy}, [&]<class V>(V) {
      const Input<V> in(x), gradient(dy);
      Output<V> out(dx);
      shareRange(c.batch * c.places, c.count * norm.n * 4, [&](int64_t begin, int64_t end) {
        std::vector<double> scale(static_cast<size_t>(c.count)), sums(scale.size());
        for (int64_t column = begin; column < end; ++column) {
          const int64_t first = column / c.places * c.count * c.places + column % c.places;
          const auto value = [&](const Input<V>& from, int64_t channel) {
            return static_cast<double>(from[first + channel * c.places]);
          };
          std::fill(sums.begin(), sums.end(), 0.0);
          for (int64_t i = 0; i < c.count; ++i) {
            const Around around(norm, i, c.count);
            double squares = 0;
            for (int64_t j = around.begin; j < around.end; ++j) squares += value(in, j) * value(in, j);
            double& s = scale[static_cast<size_t>(i)];
            s = norm.k + norm.alpha / static_cast<double>(norm.n) * squares;
            const double part = value(gradient, i) * value(in, i) * std::pow(s, -norm.beta - 1);
            for (int64_t j = around.begin; j < around.end; ++j) sums[static_cast<size_t>(j)] += part;
          }
          for (int64_t i = 0; i < c.count; ++i)
            out[first + i * c.places] =
                static_cast<V>(value(gradient, i) * std::pow(scale[static_cast<size_t>(i)], -norm.beta) -
                               2 * norm.alpha * norm.beta / static_cast<double>(norm.n) * value(in, i) *
                                   sums[static_cast<size_t>(i)]);
        }
      });
      out.store();
    });
  };
}

}  // namespace musashim::mudnn
