#include "libs/mudnn/sequences/rope.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

size_t at(int64_t place) { return static_cast<size_t>(place); }

// Which elements of a head become the i-th pair, and where they go.
struct Pair {
  int64_t from[2], to[2];
};
std::vector<Pair> pairsOf(const Rotary& settings, int64_t turned) {
  std::vector<Pair> pairs;
  const int64_t half = turned / 2;
  // Where the element that is at `place` when pairs are made comes from.
  const auto source = [&](int64_t place) {
    if (!settings.latent) return place;
    return place < half ? 2 * place : 2 * (place - half) + 1;
  };
  for (int64_t i = 0; i < half; ++i) {
    const int64_t first = settings.interleaved ? 2 * i : i,
                  second = settings.interleaved ? 2 * i + 1 : i + half;
    pairs.push_back({{source(first), source(second)}, {first, second}});
  }
  return pairs;
}

}  // namespace

Work rotary(const Rotary& settings, const Array& out, const Array& in, const Array& given) {
  requireReal({&out, &in, &given});
  require(in.rank >= 3 && out.sameSizes(in), "tensors have 3 dimensions or more, both alike");
  // Angles by place and element; dimensions of 1 between them are left out.
  Array angles = given;
  require(angles.rank >= 2, "angles are by place and element");
  for (size_t i = 1; i + 1 < static_cast<size_t>(angles.rank); ++i)
    require(angles.sizes[i] == 1, "angles are by place and element");
  angles.sizes[1] = given.sizes[static_cast<size_t>(given.rank - 1)];
  angles.strides[1] = given.strides[static_cast<size_t>(given.rank - 1)];
  angles.rank = 2;
  const size_t ofPlace = settings.batchFirst ? 1 : 0;
  const int64_t size = in.sizes[static_cast<size_t>(in.rank - 1)], turned = angles.sizes[1];
  require(turned % 2 == 0 && turned <= size, "there are more angles than elements, or not two for a pair");
  require(angles.sizes[0] >= in.sizes[ofPlace], "there are not angles for all places");
  return [=] {
    const std::vector<Pair> pairs = pairsOf(settings, turned);
    withReal({&out, &in}, [&]<class V>(V) {
      const Input<V> from(in);
      const Input<double> by(angles);
      Output<V> to(out);
      const int64_t places = in.sizes[ofPlace];
      int64_t inner = 1;  // heads of a place
      for (size_t i = ofPlace + 1; i + 1 < static_cast<size_t>(in.rank); ++i) inner *= in.sizes[i];
      shareRange(size ? in.count() / size : 0, 16 * size, [&](int64_t begin, int64_t end) {
        std::vector<V> x(static_cast<size_t>(size));  // the output may be the input
        for (int64_t head = begin; head < end; ++head) {
          const double* const angle = by.data() + head / inner % places * turned;
          std::copy_n(from.data() + head * size, size, x.begin());
          V* const y = to.data() + head * size;
          for (const Pair& pair : pairs) {
            const double first = angle[pair.to[0]], second = angle[pair.to[1]];
            if (settings.backward) {
              const double a = static_cast<double>(x[at(pair.to[0])]),
                           b = static_cast<double>(x[at(pair.to[1])]);
              y[pair.from[0]] = static_cast<V>(a * std::cos(first) + b * std::sin(second));
              y[pair.from[1]] = static_cast<V>(b * std::cos(second) - a * std::sin(first));
            } else {
              const double a = static_cast<double>(x[at(pair.from[0])]),
                           b = static_cast<double>(x[at(pair.from[1])]);
              y[pair.to[0]] = static_cast<V>(a * std::cos(first) - b * std::sin(first));
              y[pair.to[1]] = static_cast<V>(b * std::cos(second) + a * std::sin(second));
            }
          }
          for (int64_t i = turned; i < size; ++i) y[i] = x[at(i)];
        }
      });
      to.store();
    });
  };
}

}  // namespace musashim::mudnn
