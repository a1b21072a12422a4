// Gradients of recurrent networks, by what the way forward left on the tape.
#include <algorithm>

#include "libs/mudnn/sequences/recurrent_layers.h"

namespace musashim::mudnn {
namespace {

template <class V>
class Backward {
 public:
  Backward(const Network& network, const NetworkArrays& arrays)
      : n_(network), a_(arrays), tape_(network, arrays.x, arrays.tape) {}

  void data(const NetworkGradients& gradients) {
    const Input<V> weights(a_.weights);
    const int64_t batch = a_.x.batch, rows = a_.x.time * batch,
                  all = static_cast<int64_t>(n_.layers) * n_.directions, P = n_.projection;
    std::vector<V> h = stateOf<V>(gradients.hy, all, batch, P),
                   c = stateOf<V>(gradients.cy, all, batch, n_.hidden);
    cx_ = stateOf<V>(a_.cx, all, batch, n_.hidden);
    hx_ = stateOf<V>(a_.hx, all, batch, P);
    std::vector<V> above = gather<V>(a_.y, gradients.y);  // the gradient of what the layer gave
    for (int64_t layer = n_.layers; layer-- > 0;) {
      const int64_t inputs = n_.inputsOf(layer);
      std::vector<V> below(static_cast<size_t>(rows * inputs));
      for (int64_t d = 0; d < n_.directions; ++d) {
        const int64_t pseudo = layer * n_.directions + d;
        run(layer, d, LayerWeights<V>(n_, pseudo, weights.data()), above, below,
            h.data() + pseudo * batch * P, c.data() + pseudo * batch * n_.hidden);
      }
      if (layer > 0 && n_.dropout > 0)
        for (size_t i = 0; i < below.size(); ++i) below[i] *= tape_.kept(layer - 1)[i];
      above = std::move(below);
    }
    scatter(a_.x, gradients.x, above.data());
    if (gradients.hx.data) writePart(gradients.hx, 0, gradients.hx.count(), h.data());
    if (gradients.cx.data && n_.cell == Cell::kLstm)
      writePart(gradients.cx, 0, gradients.cx.count(), c.data());
  }

  void weights(const Array& gradient) {
    std::vector<V> result(static_cast<size_t>(weightCount(n_)));
    readPart(gradient, 0, gradient.count(), result.data());
    const int64_t batch = a_.x.batch, rows = a_.x.time * batch, H = n_.hidden, P = n_.projection,
                  G = n_.gates();
    hx_ = stateOf<V>(a_.hx, static_cast<int64_t>(n_.layers) * n_.directions, batch, P);
    const std::vector<V> first = gather<V>(a_.x, a_.dataX);
    for (int64_t layer = 0; layer < n_.layers; ++layer) {
      const std::vector<V> input = inputOf(n_, a_.x, tape_, layer, first, true);
      const int64_t inputs = n_.inputsOf(layer);
      for (int64_t d = 0; d < n_.directions; ++d) {
        const int64_t pseudo = layer * n_.directions + d;
        const LayerTape<V> tape = tape_.layer(pseudo);
        const LayerWeights<V> w(n_, pseudo, result.data());
        const auto into = [](const V* place) { return const_cast<V*>(place); };
        const std::vector<V> ofStates = statesOf(tape), before = statesBefore(tape, pseudo, d == 1);
        if (w.ofInput)
          multiply<V>(G * H, inputs, rows, {tape.gradients, G * H, true}, {input.data(), inputs},
                      into(w.ofInput), inputs, true);
        multiply<V>(G * H, P, rows, {ofStates.data(), G * H, true}, {before.data(), P}, into(w.ofState), P,
                    true);
        if (w.projection)
          multiply<V>(P, H, rows, {tape.ofOut, P, true}, {tape.full, H}, into(w.projection), H, true);
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t i = 0; i < G * H; ++i) {
            if (w.inputBias) into(w.inputBias)[i] += tape.gradients[row * G * H + i];
            if (w.stateBias) into(w.stateBias)[i] += ofStates[static_cast<size_t>(row * G * H + i)];
          }
      }
    }
    writePart(gradient, 0, gradient.count(), result.data());
  }

 private:
  void run(int64_t layer, int64_t direction, const LayerWeights<V>& w, const std::vector<V>& above,
           std::vector<V>& below, V* h, V* c) {
    const int64_t pseudo = layer * n_.directions + direction, rows = a_.x.time * a_.x.batch, H = n_.hidden,
                  P = n_.projection, G = n_.gates(), inputs = n_.inputsOf(layer);
    const LayerTape<V> tape = tape_.layer(pseudo);
    std::fill(tape.gradients, tape.gradients + rows * G * H, V(0));
    std::fill(tape.ofCandidate, tape.ofCandidate + rows * H, V(0));
    std::fill(tape.ofOut, tape.ofOut + rows * P, V(0));
    if (n_.cell == Cell::kLstm && n_.isProjected()) zeroUnused(tape);
    std::vector<V> ofFull(static_cast<size_t>(H)), ofStates(static_cast<size_t>(G * H));
    forSteps(a_.x, direction == 1, true,
             [&](const std::vector<int64_t>& batch, const std::vector<int64_t>& times,
                 const std::vector<int64_t>& before) {
               for (size_t i = 0; i < batch.size(); ++i) {
                 const int64_t b = batch[i], row = times[i] * a_.x.batch + b;
                 V* const hb = h + b * P;
                 for (int64_t p = 0; p < P; ++p) {
                   hb[p] += above[static_cast<size_t>((row * n_.directions + direction) * P + p)];
                   tape.ofOut[row * P + p] = hb[p];
                 }
                 if (w.projection)
                   multiply<V>(1, H, P, {hb, P}, {w.projection, H}, ofFull.data(), H, false);
                 else
                   std::copy_n(hb, H, ofFull.data());
                 const int64_t previous = before[i] < 0 ? -1 : before[i] * a_.x.batch + b;
                 cell(tape, pseudo, b, row, previous, ofFull.data(), ofStates.data(), hb, c + b * H);
                 // What the update gate lets through stays; all else came by the state's matrices.
                 multiply<V>(1, P, G * H, {ofStates.data(), G * H}, {w.ofState, P}, hb, P,
                             n_.cell == Cell::kGru);
               }
             });
    if (w.ofInput) {
      multiply<V>(rows, inputs, G * H, {tape.gradients, G * H}, {w.ofInput, inputs}, below.data(), inputs,
                  true);
    } else {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t i = 0; i < G * H; ++i)
          below[static_cast<size_t>(row * H + i % H)] += tape.gradients[row * G * H + i];
    }
  }

  // Rows behind a sequence's end were never written.
  void zeroUnused(const LayerTape<V>& tape) {
    for (int64_t t = 0; t < a_.x.time; ++t)
      for (int64_t b = 0; b < a_.x.batch; ++b)
        if (t >= a_.x.lengths[static_cast<size_t>(b)])
          std::fill_n(tape.full + (t * a_.x.batch + b) * n_.hidden, n_.hidden, V(0));
  }

  // One step of one sequence back: ofFull is the gradient of its output, c of its cell, and becomes that of
  // the cell before; h becomes what goes to the state before past the gates.
  void cell(const LayerTape<V>& tape, int64_t pseudo, int64_t b, int64_t row, int64_t previous,
            const V* ofFull, V* ofStates, V* h, V* c) {
    const int64_t H = n_.hidden, P = n_.projection, G = n_.gates();
    const V* const gates = tape.gates + row * G * H;
    V* const gradients = tape.gradients + row * G * H;
    for (int64_t i = 0; i < H; ++i) {
      if (n_.cell == Cell::kLstm) {
        const V in = gates[i], forget = gates[H + i], fresh = gates[2 * H + i], out = gates[3 * H + i];
        const V value = tape.cells[row * H + i], read = n_.clipped(value), curve = std::tanh(read);
        const V old = previous < 0 ? cx_[static_cast<size_t>((pseudo * a_.x.batch + b) * H + i)]
                                   : tape.cells[previous * H + i];
        const V oldRead = n_.clipped(old);
        const V ofCell = c[i] + (read == value ? ofFull[i] * out * (1 - curve * curve) : V(0));
        gradients[3 * H + i] = ofFull[i] * curve * out * (1 - out);
        gradients[i] = ofCell * fresh * in * (1 - in);
        gradients[H + i] = ofCell * oldRead * forget * (1 - forget);
        gradients[2 * H + i] = ofCell * in * (1 - fresh * fresh);
        c[i] = oldRead == old ? ofCell * forget : V(0);
      } else if (n_.cell == Cell::kGru) {
        const V reset = gates[i], update = gates[H + i], fresh = gates[2 * H + i];
        const V old = previous < 0 ? hx_[static_cast<size_t>((pseudo * a_.x.batch + b) * P + i)]
                                   : tape.out[previous * P + i];
        const V ofFresh = ofFull[i] * (1 - update) * (1 - fresh * fresh);
        gradients[2 * H + i] = ofFresh;
        gradients[H + i] = ofFull[i] * (old - fresh) * update * (1 - update);
        gradients[i] = ofFresh * tape.candidate[row * H + i] * reset * (1 - reset);
        tape.ofCandidate[row * H + i] = ofFresh * reset;
        h[i] = ofFull[i] * update;
      } else {
        gradients[i] = n_.cell == Cell::kRelu ? (gates[i] > 0 ? ofFull[i] : V(0))
                                              : ofFull[i] * (1 - gates[i] * gates[i]);
      }
    }
    std::copy_n(gradients, G * H, ofStates);
    if (n_.cell == Cell::kGru) std::copy_n(tape.ofCandidate + row * H, H, ofStates + 2 * H);
  }

  // Gradients of gates by the state: GRU's new gate is reset first.
  std::vector<V> statesOf(const LayerTape<V>& tape) const {
    const int64_t rows = a_.x.time * a_.x.batch, H = n_.hidden, width = n_.gates() * H;
    std::vector<V> values(tape.gradients, tape.gradients + rows * width);
    if (n_.cell == Cell::kGru)
      for (int64_t row = 0; row < rows; ++row)
        std::copy_n(tape.ofCandidate + row * H, H, values.data() + row * width + 2 * H);
    return values;
  }
  std::vector<V> statesBefore(const LayerTape<V>& tape, int64_t pseudo, bool isBackward) const {
    const int64_t batch = a_.x.batch, P = n_.projection;
    std::vector<V> values(static_cast<size_t>(a_.x.time * batch * P));
    forSteps(a_.x, isBackward, false,
             [&](const std::vector<int64_t>& at, const std::vector<int64_t>& times,
                 const std::vector<int64_t>& before) {
               for (size_t i = 0; i < at.size(); ++i) {
                 const V* const from = before[i] < 0 ? hx_.data() + (pseudo * batch + at[i]) * P
                                                     : tape.out + (before[i] * batch + at[i]) * P;
                 std::copy_n(from, P, values.data() + (times[i] * batch + at[i]) * P);
               }
             });
    return values;
  }

  Network n_;
  NetworkArrays a_;
  Tape<V> tape_;
  std::vector<V> cx_, hx_;
};

}  // namespace

Work recurrentBackwardData(const Network& network, const NetworkArrays& arrays,
                           const NetworkGradients& gradients) {
  return [=] {
    inPrecisionOf(arrays.x.element, [&]<class V>(V) { Backward<V>(network, arrays).data(gradients); });
  };
}
Work recurrentBackwardWeights(const Network& network, const NetworkArrays& arrays, const Array& gradient) {
  return [=] {
    inPrecisionOf(arrays.x.element, [&]<class V>(V) { Backward<V>(network, arrays).weights(gradient); });
  };
}

}  // namespace musashim::mudnn
