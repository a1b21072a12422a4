// Recurrent networks forward. LSTM and GRU by cuDNN's formulas.
#include "libs/mudnn/sequences/recurrent.h"

#include <algorithm>

#include "libs/mudnn/operations/elementwise/gates.h"
#include "libs/mudnn/sequences/recurrent_layers.h"

namespace musashim::mudnn {
namespace {

template <class V>
class Forward {
 public:
  Forward(const Network& network, const NetworkArrays& arrays, bool trains)
      : n_(network),
        a_(arrays),
        trains_(trains),
        tape_(network, arrays.x, trains ? arrays.tape : nullptr),
        weights_(arrays.weights),
        first_(gather<V>(arrays.x, arrays.dataX)) {}

  void run() {
    const int64_t batch = a_.x.batch, all = static_cast<int64_t>(n_.layers) * n_.directions;
    h_ = stateOf<V>(a_.hx, all, batch, n_.projection);
    if (n_.cell == Cell::kLstm) c_ = stateOf<V>(a_.cx, all, batch, n_.hidden);
    for (int64_t layer = 0; layer < n_.layers; ++layer) {
      const std::vector<V> input = inputOf(n_, a_.x, tape_, layer, first_, trains_);
      for (int64_t d = 0; d < n_.directions; ++d) run(layer, d, input);
      if (trains_ && n_.dropout > 0 && layer + 1 < n_.layers) drop(layer);
    }
    const Network plain = [&] {
      Network network = n_;
      network.dropout = 0;
      return network;
    }();
    scatter(a_.y, a_.dataY, inputOf(plain, a_.x, tape_, n_.layers, first_, false).data());
    if (a_.hy.data) writePart(a_.hy, 0, a_.hy.count(), h_.data());
    if (a_.cy.data && !c_.empty()) writePart(a_.cy, 0, a_.cy.count(), c_.data());
  }

 private:
  void run(int64_t layer, int64_t direction, const std::vector<V>& input) {
    const int64_t pseudo = layer * n_.directions + direction, rows = a_.x.time * a_.x.batch, H = n_.hidden,
                  P = n_.projection, G = n_.gates(), inputs = n_.inputsOf(layer);
    const LayerWeights<V> w(n_, pseudo, weights_.data());
    const LayerTape<V> tape = tape_.layer(pseudo);
    std::fill(tape.out, tape.out + rows * P, V(0));
    if (w.ofInput) {
      multiply<V>(rows, G * H, inputs, {input.data(), inputs}, {w.ofInput, inputs, true}, tape.gates, G * H,
                  false);
    } else {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t i = 0; i < G * H; ++i)
          tape.gates[row * G * H + i] = input[static_cast<size_t>(row * H + i % H)];
    }
    V* const h = h_.data() + pseudo * a_.x.batch * P;
    V* const c = c_.empty() ? nullptr : c_.data() + pseudo * a_.x.batch * H;
    std::vector<V> before, states;
    forSteps(a_.x, direction == 1, false,
             [&](const std::vector<int64_t>& batch, const std::vector<int64_t>& times, const auto&) {
               const auto count = static_cast<int64_t>(batch.size());
               before.resize(static_cast<size_t>(count * P));
               states.resize(static_cast<size_t>(count * G * H));
               for (int64_t i = 0; i < count; ++i)
                 std::copy_n(h + batch[static_cast<size_t>(i)] * P, P, before.data() + i * P);
               multiply<V>(count, G * H, P, {before.data(), P}, {w.ofState, P, true}, states.data(), G * H,
                           false);
               for (int64_t i = 0; i < count; ++i) {
                 const int64_t b = batch[static_cast<size_t>(i)],
                               row = times[static_cast<size_t>(i)] * a_.x.batch + b;
                 cell(w, tape, row, states.data() + i * G * H, h + b * P, c ? c + b * H : nullptr);
               }
             });
  }

  // One step of one sequence: h and c are the state before and become the one behind.
  void cell(const LayerWeights<V>& w, const LayerTape<V>& tape, int64_t row, const V* states, V* h, V* c) {
    const int64_t H = n_.hidden, P = n_.projection, G = n_.gates();
    V* const gates = tape.gates + row * G * H;
    const auto bias = [](const V* biases, int64_t i) { return biases ? biases[i] : V(0); };
    const auto sum = [&](int64_t gate, int64_t i) {
      const int64_t at = gate * H + i;
      return gates[at] + states[at] + bias(w.inputBias, at) + bias(w.stateBias, at);
    };
    V* const full = tape.full + row * H;
    for (int64_t i = 0; i < H; ++i) {
      if (n_.cell == Cell::kLstm) {
        const V in = logistic(sum(0, i)), forget = logistic(sum(1, i)), fresh = std::tanh(sum(2, i)),
                out = logistic(sum(3, i));
        // A cell is kept as it is, and clipped where it is read.
        const V value = forget * n_.clipped(c[i]) + in * fresh;
        c[i] = tape.cells[row * H + i] = value;
        full[i] = out * std::tanh(n_.clipped(value));
        gates[i] = in;
        gates[H + i] = forget;
        gates[2 * H + i] = fresh;
        gates[3 * H + i] = out;
      } else if (n_.cell == Cell::kGru) {
        const V reset = logistic(sum(0, i)), update = logistic(sum(1, i)),
                candidate = states[2 * H + i] + bias(w.stateBias, 2 * H + i);
        const V fresh = std::tanh(gates[2 * H + i] + bias(w.inputBias, 2 * H + i) + reset * candidate);
        tape.candidate[row * H + i] = candidate;
        full[i] = (1 - update) * fresh + update * h[i];
        gates[i] = reset;
        gates[H + i] = update;
        gates[2 * H + i] = fresh;
      } else {
        const V value = sum(0, i);
        full[i] = gates[i] = n_.cell == Cell::kRelu ? std::max(value, V(0)) : std::tanh(value);
      }
    }
    if (w.projection)
      multiply<V>(1, P, H, {full, H}, {w.projection, H, true}, h, P, false);
    else
      std::copy_n(full, H, h);
    std::copy_n(h, P, tape.out + row * P);
  }

  void drop(int64_t layer) {
    const int64_t count = a_.x.time * a_.x.batch * n_.projection * n_.directions;
    const std::vector<V> ones(static_cast<size_t>(count), V(1));
    std::vector<V> kept(static_cast<size_t>(count));
    const Element element = sizeof(V) == sizeof(double) ? Element::kDouble : Element::kFloat;
    const Array from = contiguousArray(element, const_cast<V*>(ones.data()), 1, &count),
                to = contiguousArray(element, tape_.kept(layer), 1, &count);
    std::vector<char> mask(static_cast<size_t>(count));
    dropout({n_.dropout, 0, 0, n_.states, n_.states + 1}, to, from,
            contiguousArray(Element::kBool, mask.data(), 1, &count))();
    n_.states[1] += (static_cast<uint64_t>(count) + 3) / 4 * 4;  // the next has other numbers
  }

  Network n_;
  NetworkArrays a_;
  bool trains_;
  Tape<V> tape_;
  Input<V> weights_;
  std::vector<V> first_, h_, c_;
};

}  // namespace

Work recurrentForward(const Network& network, const NetworkArrays& arrays, bool trains) {
  return [=] {
    inPrecisionOf(arrays.x.element, [&]<class V>(V) { Forward<V>(network, arrays, trains).run(); });
  };
}

}  // namespace musashim::mudnn
