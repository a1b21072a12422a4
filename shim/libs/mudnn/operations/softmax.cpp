#include <cmath>

#include "libs/mudnn/onednn/layers.h"
#include "libs/mudnn/operations/reduce.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {

using Mode = musa::dnn::Softmax::Mode;

namespace {

std::vector<int> resolved(std::vector<int> axes, const Array& array) {
  for (int& axis : axes) axis = array.axis(axis);
  return axes;
}

}  // namespace

Work softmax(Mode mode, const std::vector<int>& wanted, const Array& out, const Array& in) {
  requireReal({&out, &in});
  const std::vector<int> axes = resolved(wanted, in);
  const int64_t length = lengthOf(in, axes);
  const Array from = axesLast(in, axes);
  Array to = out;
  if (mode == Mode::LOGSUMEXP) {
    require(out.count() * length == in.count(), "the output's sizes are not those of the reduction");
  } else {
    require(out.sameSizes(in), "the output has other sizes than the input");
    to = axesLast(out, axes);
  }
  return [=] {
    if (in.count() == 0) return;
    if (mode != Mode::LOGSUMEXP &&
        onednn::softmax(to, from, in.count() / length, length, mode == Mode::LOGSOFTMAX))
      return;
    withReal({&in, &out}, [&]<class V>(V) {
      const Input<V> x(from);
      Output<V> y(to);
      shareRange(in.count() / length, length * 8, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const V* const values = x.data() + row * length;
          V most = values[0];
          for (int64_t i = 1; i < length; ++i) most = values[i] > most ? values[i] : most;
          const V shift = std::isinf(most) ? V(0) : most;
          double sum = 0;
          if (mode == Mode::SOFTMAX) {
            V* const results = y.data() + row * length;
            for (int64_t i = 0; i < length; ++i) results[i] = std::exp(values[i] - shift);
            for (int64_t i = 0; i < length; ++i) sum += static_cast<double>(results[i]);
            for (int64_t i = 0; i < length; ++i)
              results[i] = static_cast<V>(static_cast<double>(results[i]) / sum);
            continue;
          }
          for (int64_t i = 0; i < length; ++i) sum += static_cast<double>(std::exp(values[i] - shift));
          const double logarithm = static_cast<double>(shift) + std::log(sum);
          if (mode == Mode::LOGSUMEXP) {
            y[row] = static_cast<V>(logarithm);
          } else {
            for (int64_t i = 0; i < length; ++i)
              y[row * length + i] = static_cast<V>(static_cast<double>(values[i]) - logarithm);
          }
        }
      });
      y.store();
    });
  };
}

Work softmaxBackward(Mode mode, const std::vector<int>& wanted, const Array& gradIn, const Array& out,
                     const Array& gradOut) {
  requireReal({&gradIn, &out, &gradOut});
  require(gradIn.sameSizes(out) && gradOut.sameSizes(out), "the tensors have different sizes");
  requireSupport(mode != Mode::LOGSUMEXP, "LOGSUMEXP has no gradient here");
  const std::vector<int> axes = resolved(wanted, out);
  const int64_t length = lengthOf(out, axes);
  const Array y = axesLast(out, axes), dy = axesLast(gradOut, axes), dx = axesLast(gradIn, axes);
  return [=] {
    if (y.count() == 0 ||
        onednn::softmaxBackward(dx, y, dy, y.count() / length, length, mode == Mode::LOGSOFTMAX))
      return;
    withReal({&y, &dy, &dx}, [&]<class V>(V) {
      const Input<V> values(y), gradients(dy);
      Output<V> results(dx);
      shareRange(y.count() / length, length * 4, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          double sum = 0;
          for (int64_t i = row * length; i < (row + 1) * length; ++i)
            sum += static_cast<double>(gradients[i]) *
                   (mode == Mode::SOFTMAX ? static_cast<double>(values[i]) : 1);
          for (int64_t i = row * length; i < (row + 1) * length; ++i) {
            const double gradient = static_cast<double>(gradients[i]), value = static_cast<double>(values[i]);
            results[i] = static_cast<V>(mode == Mode::SOFTMAX ? (gradient - sum) * value
                                                              : gradient - std::exp(value) * sum);
          }
        }
      });
      results.store();
    });
  };
}

}  // namespace musashim::mudnn
