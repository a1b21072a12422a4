// Recurrent networks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

enum class Cell : uint8_t { kRelu, kTanh, kLstm, kGru };

struct Network {
  Cell cell = Cell::kTanh;
  int directions = 1, layers = 1;
  int64_t inputs = 1, hidden = 1, projection = 1;  // projection: hidden where there is none
  bool skipsInput = false;                         // the first layer has no matrices for its input
  bool biasOfInput = true, biasOfState = true;
  bool clips = false;  // LSTM's cells
  double least = 0, most = 0;
  double dropout = 0;          // between layers, in training
  uint64_t* states = nullptr;  // of dropout, in device memory: the seed and the offset

  // LSTM's in the order input, forget, new, output; GRU's reset, update, new.
  int64_t gates() const { return cell == Cell::kLstm ? 4 : cell == Cell::kGru ? 3 : 1; }
  // What is read of a cell.
  template <class V>
  V clipped(V value) const {
    return clips ? std::clamp(value, static_cast<V>(least), static_cast<V>(most)) : value;
  }
  bool isProjected() const { return projection != hidden; }
  int64_t inputsOf(int64_t layer) const { return layer == 0 ? inputs : projection * directions; }
};

// Where a matrix or a bias lies in the memory of all weights, in elements: for each layer and direction first
// the matrices for the input, those for the state, the projection; behind all of them the biases.
struct WeightPlace {
  int64_t offset = 0, rows = 0, columns = 0;  // none: no rows
};
// id: gates for the input, then for the state; then the projection.
WeightPlace matrixPlace(const Network& network, int64_t pseudoLayer, int64_t id);
WeightPlace biasPlace(const Network& network, int64_t pseudoLayer, int64_t id);
int64_t weightCount(const Network& network);

// Sequences of several lengths, and how they lie in memory.
struct Sequences {
  enum class Layout : uint8_t { kTimeFirst, kPacked, kBatchFirst };
  Element element = Element::kFloat;
  Layout layout = Layout::kTimeFirst;
  int64_t time = 0, batch = 0, size = 0;
  std::vector<int64_t> lengths;
  bool fills = false;
  double fill = 0;  // of what is behind a sequence's end
};

struct NetworkArrays {
  Sequences x, y;
  void *dataX = nullptr, *dataY = nullptr;
  Array weights;         // one dimension
  Array hx, hy, cx, cy;  // without memory where they are zero or not wanted
  void* tape = nullptr;  // what training keeps
};
struct NetworkGradients {
  void *y = nullptr, *x = nullptr;
  Array hy, hx, cy, cx;
};

size_t tapeSize(const Network& network, const Sequences& x);  // bytes
Work recurrentForward(const Network& network, const NetworkArrays& arrays, bool trains);
Work recurrentBackwardData(const Network& network, const NetworkArrays& arrays,
                           const NetworkGradients& gradients);
// After recurrentBackwardData. gradient: as the weights; it is added to.
Work recurrentBackwardWeights(const Network& network, const NetworkArrays& arrays, const Array& gradient);

}  // namespace musashim::mudnn
