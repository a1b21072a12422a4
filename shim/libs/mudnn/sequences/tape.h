// What a recurrent network computes on the way and needs again for gradients: one run of numbers for each
// layer and direction, rows by time and batch.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/mudnn/sequences/recurrent.h"

namespace musashim::mudnn {

// One of a row for each (time, batch); inputs and gates are gate by gate in a row.
template <class V>
struct LayerTape {
  V* gates;        // after their functions
  V* gradients;    // of gates before their functions, by the input
  V* candidate;    // GRU's new gate by the state, before the reset gate
  V* ofCandidate;  // its gradient
  V* cells;        // LSTM's
  V* full;         // LSTM's output before a projection
  V* out;          // of the layer
  V* ofOut;        // its gradient
};

template <class V>
class Tape {
 public:
  Tape(const Network& network, const Sequences& x, void* memory)
      : network_(network), rows_(x.time * x.batch) {
    if (!memory) own_.resize(static_cast<size_t>(count(network, x)));
    base_ = memory ? static_cast<V*>(memory) : own_.data();
  }
  static int64_t count(const Network& network, const Sequences& x) {
    return x.time * x.batch *
           (perLayer(network) * network.layers * network.directions +
            network.projection * network.directions * (network.layers - 1));
  }
  LayerTape<V> layer(int64_t pseudoLayer) const {
    V* at = base_ + pseudoLayer * perLayer(network_) * rows_;
    const auto next = [&](int64_t size) {
      V* const here = at;
      at += size * rows_;
      return here;
    };
    const int64_t gates = network_.gates() * network_.hidden;
    LayerTape<V> tape;
    tape.gates = next(gates);
    tape.gradients = next(gates);
    tape.candidate = next(network_.hidden);
    tape.ofCandidate = next(network_.hidden);
    tape.cells = next(network_.hidden);
    tape.full = next(network_.hidden);
    tape.out = next(network_.projection);
    tape.ofOut = next(network_.projection);
    return tape;
  }
  // Factors of dropout behind layer `layer`, of which there is one behind.
  V* kept(int64_t layer) const {
    return base_ + rows_ * (perLayer(network_) * network_.layers * network_.directions +
                            layer * network_.projection * network_.directions);
  }

 private:
  static int64_t perLayer(const Network& network) {
    return network.gates() * network.hidden * 2 + network.hidden * 4 + network.projection * 2;
  }
  Network network_;
  int64_t rows_;
  std::vector<V> own_;
  V* base_;
};

// Visits what one direction of a layer does in its order of time: visit(step, rows that are at work, their
// times).
template <class Visit>
void forSteps(const Sequences& sequences, bool isBackward, bool fromTheEnd, Visit&& visit) {
  std::vector<int64_t> batch, times, before;
  for (int64_t i = 0; i < sequences.time; ++i) {
    const int64_t step = fromTheEnd ? sequences.time - 1 - i : i;
    batch.clear();
    times.clear();
    before.clear();  // the time of the step before, -1 at first
    for (int64_t b = 0; b < sequences.batch; ++b) {
      const int64_t length = sequences.lengths[static_cast<size_t>(b)];
      if (step >= length) continue;
      batch.push_back(b);
      times.push_back(isBackward ? length - 1 - step : step);
      before.push_back(step == 0 ? -1 : isBackward ? length - step : step - 1);
    }
    if (!batch.empty()) visit(batch, times, before);
  }
}

// All sequences as rows by time and batch, zeros behind their ends.
template <class V>
std::vector<V> gather(const Sequences& sequences, const void* memory);
template <class V>
void scatter(const Sequences& sequences, void* memory, const V* rows);

}  // namespace musashim::mudnn
