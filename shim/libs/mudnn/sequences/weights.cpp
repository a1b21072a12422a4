// Where weights lie, and sequences in memory.
#include <algorithm>

#include "libs/mudnn/core/elements.h"
#include "libs/mudnn/sequences/tape.h"

namespace musashim::mudnn {
namespace {

int64_t matricesOf(const Network& n, int64_t pseudoLayer) {
  const int64_t layer = pseudoLayer / n.directions;
  const int64_t ofInput = layer == 0 && n.skipsInput ? 0 : n.inputsOf(layer);
  return n.gates() * n.hidden * (ofInput + n.projection) + (n.isProjected() ? n.projection * n.hidden : 0);
}
int64_t allMatrices(const Network& n, int64_t pseudoLayers) {
  int64_t count = 0;
  for (int64_t i = 0; i < pseudoLayers; ++i) count += matricesOf(n, i);
  return count;
}
int64_t biasesOf(const Network& n) { return n.gates() * n.hidden * (n.biasOfInput + n.biasOfState); }

int64_t placeOf(const Sequences& s, int64_t t, int64_t b) {
  if (s.layout == Sequences::Layout::kBatchFirst) return b * s.time + t;
  if (s.layout == Sequences::Layout::kTimeFirst) return t * s.batch + b;
  int64_t place = 0;  // packed: only what there is
  for (int64_t i = 0; i < s.batch; ++i) {
    const int64_t length = s.lengths[static_cast<size_t>(i)];
    place += std::min(t, length) + (i < b && length > t);
  }
  return place;
}

}  // namespace

WeightPlace matrixPlace(const Network& n, int64_t pseudoLayer, int64_t id) {
  const int64_t start = allMatrices(n, pseudoLayer), layer = pseudoLayer / n.directions, gates = n.gates();
  const int64_t ofInput = layer == 0 && n.skipsInput ? 0 : n.inputsOf(layer);
  if (id < gates) return {start + id * n.hidden * ofInput, ofInput ? n.hidden : 0, ofInput};
  const int64_t states = start + gates * n.hidden * ofInput;
  if (id < 2 * gates) return {states + (id - gates) * n.hidden * n.projection, n.hidden, n.projection};
  if (!n.isProjected()) return {};
  return {states + gates * n.hidden * n.projection, n.projection, n.hidden};
}

WeightPlace biasPlace(const Network& n, int64_t pseudoLayer, int64_t id) {
  const int64_t gates = n.gates();
  const bool isOfState = id >= gates;
  if (id >= 2 * gates || !(isOfState ? n.biasOfState : n.biasOfInput)) return {};
  const int64_t start =
      allMatrices(n, static_cast<int64_t>(n.layers) * n.directions) + pseudoLayer * biasesOf(n);
  const int64_t number = isOfState && !n.biasOfInput ? id - gates : id;
  return {start + number * n.hidden, n.hidden, 1};
}

int64_t weightCount(const Network& n) {
  const int64_t pseudoLayers = static_cast<int64_t>(n.layers) * n.directions;
  return allMatrices(n, pseudoLayers) + pseudoLayers * biasesOf(n);
}

size_t tapeSize(const Network& network, const Sequences& x) {
  return x.element == Element::kDouble ? sizeof(double) * static_cast<size_t>(Tape<double>::count(network, x))
                                       : sizeof(float) * static_cast<size_t>(Tape<float>::count(network, x));
}

template <class V>
std::vector<V> gather(const Sequences& s, const void* memory) {
  std::vector<V> rows(static_cast<size_t>(s.time * s.batch * s.size));
  const auto width = static_cast<int64_t>(sizeOf(s.element));
  for (int64_t t = 0; t < s.time; ++t)
    for (int64_t b = 0; b < s.batch; ++b)
      if (t < s.lengths[static_cast<size_t>(b)])
        readRun(s.element, static_cast<const char*>(memory) + placeOf(s, t, b) * s.size * width, 1, s.size,
                rows.data() + (t * s.batch + b) * s.size);
  return rows;
}
template <class V>
void scatter(const Sequences& s, void* memory, const V* rows) {
  const auto width = static_cast<int64_t>(sizeOf(s.element));
  const std::vector<V> fill(static_cast<size_t>(s.size), static_cast<V>(s.fill));
  for (int64_t t = 0; t < s.time; ++t)
    for (int64_t b = 0; b < s.batch; ++b) {
      const bool isInside = t < s.lengths[static_cast<size_t>(b)];
      if (!isInside && (!s.fills || s.layout == Sequences::Layout::kPacked)) continue;
      writeRun(s.element, isInside ? rows + (t * s.batch + b) * s.size : fill.data(), s.size,
               static_cast<char*>(memory) + placeOf(s, t, b) * s.size * width, 1);
    }
}
template std::vector<float> gather(const Sequences&, const void*);
template std::vector<double> gather(const Sequences&, const void*);
template void scatter(const Sequences&, void*, const float*);
template void scatter(const Sequences&, void*, const double*);

}  // namespace musashim::mudnn
