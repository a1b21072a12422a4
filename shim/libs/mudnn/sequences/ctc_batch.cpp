#include <algorithm>
#include <cmath>
#include <limits>

#include "libs/mudnn/operations/rows.h"
#include "libs/mudnn/sequences/ctc.h"

namespace musashim::mudnn {
namespace {

// The sequences of a batch, read.
class Sequences {
 public:
  explicit Sequences(const CtcBatch& batch)
      : batch_(batch), logs_(batch.logs), inputs_(batch.inputLengths), lengths_(batch.targetLengths) {
    const Input<int64_t> targets(batch.targets);
    const int64_t count = batch.logs.sizes[1];
    int64_t begin = 0;
    for (int64_t n = 0; n < count; ++n) {
      const int64_t length = lengths_[n];
      require(inputs_[n] >= 0 && inputs_[n] <= batch.logs.sizes[0], "an input is longer than there is time");
      require(length >= 0 && (batch.longest == 0 || length <= batch.longest), "a target is too long");
      const bool ofRows = batch.targets.rank == 2;
      if (ofRows) begin = n * batch.targets.sizes[1];
      require(ofRows ? length <= batch.targets.sizes[1] : begin + length <= batch.targets.count(),
              "targets are longer than their tensor");
      auto& labels = labels_.emplace_back();
      for (int64_t i = 0; i < length; ++i) {
        labels.push_back(targets[begin + i]);
        require(labels.back() >= 0 && labels.back() < batch.logs.sizes[2], "a target is no class");
      }
      begin += length;
    }
  }

  // run(n, sequence) for all, on several threads.
  template <class Run>
  void forAll(Run&& run) const {
    const int64_t count = batch_.logs.sizes[1], classes = batch_.logs.sizes[2];
    shareRange(count, batch_.logs.sizes[0] * (classes + 32), [&](int64_t begin, int64_t end) {
      std::vector<double> logs;
      for (int64_t n = begin; n < end; ++n) {
        logs.resize(static_cast<size_t>(inputs_[n] * classes));
        for (int64_t t = 0; t < inputs_[n]; ++t)
          std::copy_n(logs_.data() + (t * count + n) * classes, classes, logs.begin() + t * classes);
        run(n, CtcSequence{logs.data(), inputs_[n], classes, labels_[static_cast<size_t>(n)], batch_.blank});
      }
    });
  }

 private:
  CtcBatch batch_;
  Input<double> logs_;
  Input<int64_t> inputs_, lengths_;
  std::vector<std::vector<int64_t>> labels_;
};

void check(const CtcBatch& batch, const Array& each) {
  requireReal({&batch.logs, &each});
  require(batch.logs.rank == 3, "logarithms of probabilities are by time, sequence and class");
  const int64_t count = batch.logs.sizes[1];
  require(batch.blank >= 0 && batch.blank < batch.logs.sizes[2], "the blank is no class");
  require(
      batch.inputLengths.count() == count && batch.targetLengths.count() == count && each.count() == count,
      "there is not a length or a cost for each sequence");
  require((batch.targets.rank == 2 && batch.targets.sizes[0] == count) || batch.targets.rank == 1,
          "targets are by sequence and place, or behind each other");
  for (const Array* array : {&batch.targets, &batch.inputLengths, &batch.targetLengths})
    require(!isFloating(array->element), "targets and lengths are integers");
}

}  // namespace

Work ctcForward(const CtcBatch& batch, const Array& cost, const Array& alpha) {
  check(batch, cost);
  requireReal({&alpha});
  require(!alpha.data || (alpha.rank == 3 && alpha.sizes[0] == batch.logs.sizes[1] &&
                          alpha.sizes[1] == batch.logs.sizes[0]),
          "the logarithms of paths are by sequence, time and state");
  return [=] {
    const Sequences sequences(batch);
    Output<double> costs(cost);
    std::vector<double> paths(static_cast<size_t>(alpha.data ? alpha.count() : 0),
                              -std::numeric_limits<double>::infinity());
    sequences.forAll([&](int64_t n, const CtcSequence& sequence) {
      const int64_t states = 2 * static_cast<int64_t>(sequence.labels.size()) + 1;
      std::vector<double> own(static_cast<size_t>(sequence.time * states));
      const double is = ctcCost(sequence, nullptr, own.data());
      costs[n] = std::isinf(is) && batch.zeroInfinity ? 0 : is;
      if (!alpha.data) return;
      require(states <= alpha.sizes[2], "a target is too long for the logarithms of paths");
      for (int64_t t = 0; t < sequence.time; ++t)
        std::copy_n(own.begin() + t * states, states,
                    paths.begin() + (n * alpha.sizes[1] + t) * alpha.sizes[2]);
    });
    costs.store();
    if (alpha.data) writePart(alpha, 0, alpha.count(), paths.data());
  };
}

Work ctcBackward(const CtcBatch& batch, const Array& gradIn, const Array& gradOut) {
  check(batch, gradOut);
  requireReal({&gradIn});
  require(gradIn.sameSizes(batch.logs), "the gradient has not its input's sizes");
  return [=] {
    const Sequences sequences(batch);
    const Input<double> dy(gradOut);
    Output<double> dx(gradIn);
    std::fill_n(dx.data(), gradIn.count(), 0.0);
    const int64_t count = batch.logs.sizes[1];
    sequences.forAll([&](int64_t n, const CtcSequence& sequence) {
      std::vector<double> occupancy(static_cast<size_t>(sequence.time * sequence.classes));
      const bool none = std::isinf(ctcCost(sequence, occupancy.data()));
      if (none && batch.zeroInfinity) return;
      for (int64_t t = 0; t < sequence.time; ++t)
        for (int64_t c = 0; c < sequence.classes; ++c) {
          const int64_t at = t * sequence.classes + c;
          dx[(t * count + n) * sequence.classes + c] =
              none ? std::numeric_limits<double>::quiet_NaN()
                   : dy[n] * (std::exp(sequence.logs[at]) - occupancy[static_cast<size_t>(at)]);
        }
    });
    dx.store();
  };
}

}  // namespace musashim::mudnn
