#include "libs/mufftw/layout.h"

#include <algorithm>
#include <cstddef>

namespace musashim::mufftw {
namespace {

// Lengths of the array that one side has where nothing else is said of it.
std::vector<long long> denseLengths(Kind kind, const std::vector<long long>& n, bool isComplexSide,
                                    bool inPlace) {
  std::vector<long long> lengths = n;
  if (kind == Kind::kComplex) return lengths;
  const long long pairs = n.back() / 2 + 1;
  lengths.back() = isComplexSide ? pairs : inPlace ? 2 * pairs : n.back();
  return lengths;
}

// Distances of all dimensions in an array of these lengths.
std::vector<long long> distances(const std::vector<long long>& lengths, long long stride) {
  std::vector<long long> result(lengths.size(), stride);
  for (size_t axis = lengths.size() - 1; axis > 0; --axis) result[axis - 1] = result[axis] * lengths[axis];
  return result;
}

// The lengths of an array from its distances; the first one counts for nothing.
bool embed(const std::vector<long long>& distance, std::vector<long long>& lengths, long long& stride) {
  lengths.assign(distance.size(), 1);
  for (size_t axis = 1; axis < distance.size(); ++axis) {
    if (distance[axis] < 1 || distance[axis - 1] < 1 || distance[axis - 1] % distance[axis] != 0)
      return false;
    lengths[axis] = distance[axis - 1] / distance[axis];
  }
  stride = distance.back();
  return stride >= 1;
}

// Of a dimension with one element the distance does not matter, nor does the dimension but for the last of a
// real transform.
void dropSingle(Kind kind, std::vector<Dimension>& dimensions) {
  const Dimension last = dimensions.back();
  if (kind != Kind::kComplex) dimensions.pop_back();
  std::erase_if(dimensions, [](const Dimension& dimension) { return dimension.length == 1; });
  if (kind == Kind::kComplex && !dimensions.empty()) return;
  if (last.length != 1) {
    dimensions.push_back(last);
  } else {
    const Dimension before = dimensions.empty() ? Dimension{1, 1, 1} : dimensions.back();
    dimensions.push_back({1, before.in, before.out});
  }
}

}  // namespace

Layout denseLayout(Kind kind, int rank, const int* n, bool inPlace) {
  return embeddedLayout(kind, rank, n, 1, {}, {}, inPlace);
}

Layout embeddedLayout(Kind kind, int rank, const int* n, int batch, const Side& in, const Side& out,
                      bool inPlace) {
  const std::vector<long long> lengths(n, n + rank);
  const auto of = [&](const Side& side, bool isComplexSide) {
    return distances(side.embed ? std::vector<long long>(side.embed, side.embed + rank)
                                : denseLengths(kind, lengths, isComplexSide, inPlace),
                     side.stride);
  };
  const auto ins = of(in, kind != Kind::kRealToComplex), outs = of(out, kind != Kind::kComplexToReal);
  Layout layout;
  for (size_t axis = 0; axis < lengths.size(); ++axis)
    layout.dimensions.push_back({lengths[axis], ins[axis], outs[axis]});
  layout.batch = {batch, in.distance, out.distance};
  return layout;
}

std::optional<Description> describe(Kind kind, Layout layout) {
  auto& dimensions = layout.dimensions;
  dropSingle(kind, dimensions);
  // Their order does not matter where none of them is halved, so that of the distances will do.
  if (kind == Kind::kComplex)
    std::sort(dimensions.begin(), dimensions.end(),
              [](const Dimension& a, const Dimension& b) { return a.in > b.in; });
  Description result;
  result.rank = static_cast<int>(dimensions.size());
  std::vector<long long> ins, outs;
  for (const Dimension& dimension : dimensions) {
    result.n.push_back(dimension.length);
    ins.push_back(dimension.in);
    outs.push_back(dimension.out);
  }
  if (!embed(ins, result.inEmbed, result.inStride) || !embed(outs, result.outEmbed, result.outStride))
    return std::nullopt;
  result.batch = layout.batch.length;
  if (result.batch > 1) {
    result.inDistance = layout.batch.in;
    result.outDistance = layout.batch.out;
  }
  return result;
}

}  // namespace musashim::mufftw
