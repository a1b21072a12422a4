#include "diff/tool/compare.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

namespace musashim::diff {
namespace {

constexpr double kUlps = 4;
constexpr size_t kShown = 8;
constexpr double kLargestWeight = 1.5;  // of record::sketchOf

void compareFloats(const std::string& a, const std::string& b, Comparison& result) {
  for (size_t i = 0; i < result.count; ++i) {
    const double x = record::elementAt(a.data(), result.type, i),
                 y = record::elementAt(b.data(), result.type, i);
    double excess = 0;
    if (std::isfinite(x) && std::isfinite(y)) {
      if (x == y) continue;
      const double allowed = result.relative * (std::max(std::abs(x), std::abs(y)) + result.magnitude);
      excess = std::abs(x - y) / allowed;
    } else if (std::isnan(x) != std::isnan(y) || (!std::isnan(x) && x != y)) {
      excess = HUGE_VAL;
    }
    result.worst = std::max(result.worst, excess);
    if (excess <= 1) continue;
    ++result.different;
    if (result.elements.size() < kShown) result.elements.push_back({i, x, y});
  }
}

void compareExactly(const std::string& a, const std::string& b, Comparison& result) {
  const size_t size = record::typeSize(result.type);
  for (size_t i = 0; i < result.count; ++i) {
    if (std::memcmp(a.data() + i * size, b.data() + i * size, size) == 0) continue;
    ++result.different;
    result.worst = HUGE_VAL;
    if (result.elements.size() < kShown)
      result.elements.push_back(
          {i, record::elementAt(a.data(), result.type, i), record::elementAt(b.data(), result.type, i)});
  }
}

void compareSketches(const Run& runA, const Touched& a, const Run& runB, const Touched& b,
                     Comparison& result) {
  result.byBlocks = true;
  for (size_t i = 0; i < std::min(a.blocks, b.blocks); ++i) {
    const BlockSketch &x = runA.sketches[a.firstBlock + i], &y = runB.sketches[b.firstBlock + i];
    double excess = 0;
    if (record::isFloat(result.type)) {
      const double count = static_cast<double>(std::min(record::kBlock, result.count - i * record::kBlock));
      const double allowed =
          kLargestWeight * result.relative * (std::max(x.magnitude, y.magnitude) + count * result.magnitude);
      const double off = std::abs(x.projection - y.projection);
      excess = off == 0 ? 0 : off / allowed;
    } else if (x.projection != y.projection) {
      excess = HUGE_VAL;
    }
    result.worst = std::max(result.worst, excess);
    if (excess <= 1) continue;
    ++result.different;
    if (result.elements.size() < kShown)
      result.elements.push_back({i * record::kBlock, x.projection, y.projection});
  }
  if (a.nan == b.nan && a.infinite == b.infinite) return;
  result.note = std::to_string(a.nan) + " NaN and " + std::to_string(a.infinite) + " infinities, and " +
                std::to_string(b.nan) + " and " + std::to_string(b.infinite);
  result.different = std::max<size_t>(result.different, 1);
}

}  // namespace

double Tolerance::relative(Type type) const {
  const double epsilon = type == Type::kF16    ? 1.0 / 1024
                         : type == Type::kBF16 ? 1.0 / 128
                         : type == Type::kF32  ? double{FLT_EPSILON}
                                               : DBL_EPSILON;
  return factor * kUlps * epsilon * std::sqrt(std::max(1.0, roundings));
}

Comparison compareAfter(const Run& runA, const Touched& a, const Run& runB, const Touched& b,
                        const Tolerance& tolerance) {
  Comparison result;
  result.type = a.written() ? a.type : b.type;
  const size_t bytes = std::min(runA.allocations.at(static_cast<size_t>(a.allocation)).bytes,
                                runB.allocations.at(static_cast<size_t>(b.allocation)).bytes);
  result.count = bytes / record::typeSize(result.type);
  result.relative = tolerance.relative(result.type);
  result.magnitude = std::max(a.magnitude, b.magnitude);
  if (a.after == b.after) return result;
  const auto contentA = runA.content(a.after), contentB = runB.content(b.after);
  if (contentA && contentB) {
    if (record::isFloat(result.type))
      compareFloats(*contentA, *contentB, result);
    else
      compareExactly(*contentA, *contentB, result);
  } else if (a.written() && b.written() && a.type == b.type && a.blocks == b.blocks) {
    compareSketches(runA, a, runB, b, result);
  } else {
    result.byBlocks = true;
    result.different = 1;
    result.note = a.written() != b.written()
                      ? std::string("only ") + (a.written() ? "a" : "b") + " wrote to it"
                  : a.blocks != b.blocks ? "the sizes differ"
                                         : std::string("elements look like ") + record::typeName(a.type) +
                                               " and like " + record::typeName(b.type);
  }
  result.verdict = result.different == 0 ? Verdict::kRounding : Verdict::kDifferent;
  return result;
}

}  // namespace musashim::diff
