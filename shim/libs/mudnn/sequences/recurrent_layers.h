// What both ways through a recurrent network share.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "libs/mudnn/core/values.h"
#include "libs/mudnn/sequences/matrices.h"
#include "libs/mudnn/sequences/tape.h"

namespace musashim::mudnn {

// One layer in one direction: its weights.
template <class V>
struct LayerWeights {
  LayerWeights(const Network& n, int64_t pseudoLayer, const V* all) {
    const auto matrix = [&](int64_t id) {
      const WeightPlace place = matrixPlace(n, pseudoLayer, id);
      return place.rows ? all + place.offset : nullptr;
    };
    const auto bias = [&](int64_t id) {
      const WeightPlace place = biasPlace(n, pseudoLayer, id);
      return place.rows ? all + place.offset : nullptr;
    };
    ofInput = matrix(0);
    ofState = matrix(n.gates());
    projection = matrix(2 * n.gates());
    inputBias = bias(0);
    stateBias = bias(n.gates());
  }
  const V *ofInput, *ofState, *projection;  // the matrices of all gates lie behind one another
  const V *inputBias, *stateBias;
};

// What goes into a layer: the network's input, or what the layer below gave, with what dropout keeps of it.
template <class V>
std::vector<V> inputOf(const Network& n, const Sequences& x, const Tape<V>& tape, int64_t layer,
                       const std::vector<V>& first, bool trains) {
  if (layer == 0) return first;
  const int64_t rows = x.time * x.batch, size = n.projection, width = size * n.directions;
  std::vector<V> values(static_cast<size_t>(rows * width));
  for (int64_t d = 0; d < n.directions; ++d) {
    const V* const out = tape.layer((layer - 1) * n.directions + d).out;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < size; ++i)
        values[static_cast<size_t>(row * width + d * size + i)] = out[row * size + i];
  }
  if (trains && n.dropout > 0)
    for (size_t i = 0; i < values.size(); ++i) values[i] *= tape.kept(layer - 1)[i];
  return values;
}

template <class V>
std::vector<V> stateOf(const Array& array, int64_t layers, int64_t batch, int64_t size) {
  std::vector<V> values(static_cast<size_t>(layers * batch * size));
  if (array.data) readPart(array, 0, array.count(), values.data());
  return values;
}

template <class V>
V logistic(V x) {
  return 1 / (1 + std::exp(-x));
}

// compute(V()): double for doubles, else float.
template <class Compute>
void inPrecisionOf(Element element, Compute&& compute) {
  if (element == Element::kDouble)
    compute(double());
  else
    compute(float());
}

}  // namespace musashim::mudnn
