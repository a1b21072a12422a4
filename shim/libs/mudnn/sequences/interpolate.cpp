// A place of the output is a sum over a few of the input in each dimension; the gradient is that sum turned.
#include "libs/mudnn/sequences/interpolate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

using Mode = Interpolation::Mode;

struct Term {
  int64_t place;
  double weight;
};
using Terms = std::vector<Term>;

// Keys, "Cubic Convolution Interpolation for Digital Image Processing" (1981), with a parameter.
double cubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// By windows that are as wide as the scale makes them, cut where the input ends.
Terms smoothed(Mode mode, double scale, int64_t at, int64_t in) {
  const double stretch = std::max(scale, 1.0), reach = (mode == Mode::kCubic ? 2 : 1) * stretch,
               center = scale * (static_cast<double>(at) + 0.5);
  const int64_t begin = std::max<int64_t>(static_cast<int64_t>(center - reach + 0.5), 0),
                end = std::min<int64_t>(static_cast<int64_t>(center + reach + 0.5), in);
  Terms terms;
  double whole = 0;
  for (int64_t i = begin; i < end; ++i) {
    const double x = (static_cast<double>(i) + 0.5 - center) / stretch;
    const double weight = mode == Mode::kCubic ? cubic(x, -0.5) : std::max(0.0, 1 - std::abs(x));
    terms.push_back({i, weight});
    whole += weight;
  }
  for (Term& term : terms) term.weight /= whole;
  return terms;
}

Terms termsAt(const Interpolation& settings, double scale, int64_t at, int64_t in, int64_t out) {
  const Mode mode = settings.mode;
  const auto place = static_cast<double>(at);
  const auto inside = [in](double where) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(where)), 0, in - 1);
  };
  // As floats: whoever gives a scale gives one, and where its product is a whole number decides.
  if (mode == Mode::kNearest)
    return {{inside(static_cast<double>(static_cast<float>(place) * static_cast<float>(scale))), 1}};
  if (mode == Mode::kNearestExact)
    return {{inside(static_cast<double>((static_cast<float>(place) + 0.5F) * static_cast<float>(scale))), 1}};
  if (settings.antialias) return smoothed(mode, scale, at, in);
  const double aligned = out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
  double where = settings.alignsCorners ? aligned * place : scale * (place + 0.5) - 0.5;
  if (mode == Mode::kLinear) {
    where = std::max(where, 0.0);
    const int64_t low = inside(where), high = std::min(low + 1, in - 1);
    const double part = std::clamp(where - static_cast<double>(low), 0.0, 1.0);
    return {{low, 1 - part}, {high, part}};
  }
  const double low = std::floor(where);
  Terms terms;
  for (int i = -1; i <= 2; ++i) terms.push_back({inside(low + i), cubic(where - low - i, -0.75)});
  return terms;
}

// What places of all dimensions are made of, the small and the large image as three dimensions.
struct Plan {
  Plan(const Interpolation& settings, const Array& out, const Array& in) {
    for (size_t d = 0; d < 3; ++d) {
      const auto places = static_cast<size_t>(in.rank - 2);
      const bool there = d + places >= 3;
      const size_t axis = there ? d + places - 3 : 0;
      from[d] = there ? in.sizes[axis + 2] : 1;
      to[d] = there ? out.sizes[axis + 2] : 1;
      const double scale = there && !settings.scales.empty()
                               ? settings.scales[axis]
                               : static_cast<double>(from[d]) / static_cast<double>(to[d]);
      for (int64_t at = 0; at < to[d]; ++at)
        terms[d].push_back(there ? termsAt(settings, scale, at, from[d], to[d]) : Terms{{0, 1}});
    }
  }
  // each(place of the output, place of the input, weight) for all.
  template <class Each>
  void forAll(Each&& each) const {
    int64_t at = 0;
    for (const Terms& a : terms[0])
      for (const Terms& b : terms[1])
        for (const Terms& c : terms[2]) {
          for (const Term& i : a)
            for (const Term& j : b)
              for (const Term& k : c)
                each(at, (i.place * from[1] + j.place) * from[2] + k.place, i.weight * j.weight * k.weight);
          ++at;
        }
  }
  int64_t fromPlaces() const { return from[0] * from[1] * from[2]; }
  int64_t toPlaces() const { return to[0] * to[1] * to[2]; }

  std::array<int64_t, 3> from{}, to{};
  std::array<std::vector<Terms>, 3> terms;
};

void check(const Interpolation& settings, const Array& large, const Array& small) {
  requireReal({&large, &small});
  require(large.rank >= 3 && large.rank <= 5 && small.rank == large.rank,
          "images have 1 to 3 dimensions of places, both alike");
  require(large.sizes[0] == small.sizes[0] && large.sizes[1] == small.sizes[1],
          "batch or channels of the output are others");
  for (size_t d = 2; d < static_cast<size_t>(small.rank); ++d)
    require(small.sizes[d] > 0 && large.sizes[d] > 0, "an image has no places");
  require(settings.scales.empty() || static_cast<int>(settings.scales.size()) == small.rank - 2,
          "there is not a scale for each dimension of places");
  for (const double scale : settings.scales)
    require(scale > 0 && std::isfinite(scale), "a scale is not above 0");
  requireSupport(settings.mode != Mode::kCubic || small.rank == 4, "cubic interpolation is of 2 dimensions");
}

// run(plan, image) for all images, on several threads.
template <class Run>
void forImages(const Interpolation& settings, const Array& out, const Array& in, Run&& run) {
  const Plan plan(settings, out, in);
  shareRange(in.sizes[0] * in.sizes[1], plan.toPlaces() * 4, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) run(plan, image);
  });
}

}  // namespace

Work interpolate(const Interpolation& settings, const Array& out, const Array& in) {
  check(settings, out, in);
  return [=] {
    withReal({&out, &in}, [&]<class V>(V) {
      const Input<V> x(in);
      Output<V> y(out);
      forImages(settings, out, in, [&](const Plan& plan, int64_t image) {
        const V* const from = x.data() + image * plan.fromPlaces();
        std::vector<double> sums(static_cast<size_t>(plan.toPlaces()));
        plan.forAll([&](int64_t at, int64_t place, double weight) {
          sums[static_cast<size_t>(at)] += weight * static_cast<double>(from[place]);
        });
        std::transform(sums.begin(), sums.end(), y.data() + image * plan.toPlaces(),
                       [](double sum) { return static_cast<V>(sum); });
      });
      y.store();
    });
  };
}

Work interpolateBackward(const Interpolation& settings, const Array& gradIn, const Array& gradOut) {
  check(settings, gradOut, gradIn);
  return [=] {
    withReal({&gradOut, &gradIn}, [&]<class V>(V) {
      const Input<V> dy(gradOut);
      Output<V> dx(gradIn);
      forImages(settings, gradOut, gradIn, [&](const Plan& plan, int64_t image) {
        const V* const from = dy.data() + image * plan.toPlaces();
        std::vector<double> sums(static_cast<size_t>(plan.fromPlaces()));
        plan.forAll([&](int64_t at, int64_t place, double weight) {
          sums[static_cast<size_t>(place)] += weight * static_cast<double>(from[at]);
        });
        std::transform(sums.begin(), sums.end(), dx.data() + image * plan.fromPlaces(),
                       [](double sum) { return static_cast<V>(sum); });
      });
      dx.store();
    });
  };
}

}  // namespace musashim::mudnn
