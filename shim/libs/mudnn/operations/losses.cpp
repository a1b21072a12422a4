#include "libs/mudnn/operations/losses.h"

#include <cmath>
#include <stdexcept>

#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

// Rows of classes: those of the input with the classes behind all else.
struct Classes {
  explicit Classes(const Array& in) {
    require(in.rank >= 1, "the input has no classes");
    view = axesLast(in, {in.rank == 1 ? 0 : 1});
    count = view.sizes[static_cast<size_t>(view.rank - 1)];
    rows = count ? view.count() / count : 0;
  }
  Array view;
  int64_t count, rows;
};

void check(const ClassLoss& loss, const Classes& classes, const Array& out, const Array& target,
           const Array& weight) {
  require(!isFloating(target.element), "targets are integers");
  require(target.count() == classes.rows, "there is one target for each row of classes");
  require(!weight.data || weight.count() == classes.count, "there is one weight for each class");
  require(out.count() == (loss.reduction == LossReduction::kNone ? classes.rows : 1),
          "the loss has not the size of its reduction");
}

// The class of a row, or -1 where it is ignored.
int64_t classOf(const ClassLoss& loss, const Classes& classes, int64_t target) {
  if (target == loss.ignored) return -1;
  if (target < 0 || target >= classes.count) throw std::out_of_range("a target is no class");
  return target;
}

std::vector<double> weightsOf(const Array& weight, int64_t count) {
  std::vector<double> weights(static_cast<size_t>(count), 1.0);
  if (weight.data) readPart(weight, 0, count, weights.data());
  return weights;
}

// Logarithms of the classes' probabilities.
void normalise(std::vector<double>& row) {
  double most = row[0], sum = 0;
  for (const double value : row) most = std::max(most, value);
  for (const double value : row) sum += std::exp(value - most);
  for (double& value : row) value -= most + std::log(sum);
}

// What an element of the output's gradient is worth for one of the input's elements.
double share(LossReduction reduction, double count) {
  return reduction == LossReduction::kMean ? 1 / count : 1;
}

}  // namespace

Work classLoss(const ClassLoss& loss, const Array& out, const Array& total, const Array& in,
               const Array& target, const Array& weight) {
  requireReal({&out, &total, &in, &weight});
  const Classes classes(in);
  check(loss, classes, out, target, weight);
  return [=] {
    const Input<int64_t> targets(target);
    const std::vector<double> weights = weightsOf(weight, classes.count);
    std::vector<double> losses(static_cast<size_t>(classes.rows)), row(static_cast<size_t>(classes.count));
    double sum = 0, all = 0;
    for (int64_t i = 0; i < classes.rows; ++i) {
      const int64_t label = classOf(loss, classes, targets[i]);
      if (label < 0) continue;
      readPart(classes.view, i * classes.count, classes.count, row.data());
      if (loss.ofLogits) normalise(row);
      const auto at = static_cast<size_t>(label);
      double value = -(1 - loss.smoothing) * weights[at] * row[at];
      if (loss.smoothing != 0)
        for (size_t c = 0; c < row.size(); ++c)
          value -= loss.smoothing / static_cast<double>(classes.count) * weights[c] * row[c];
      losses[static_cast<size_t>(i)] = value;
      sum += value;
      all += weights[at];
    }
    if (total.data) writePart(total, 0, 1, &all);
    if (loss.reduction == LossReduction::kNone) return writePart(out, 0, classes.rows, losses.data());
    if (loss.reduction == LossReduction::kMean) sum /= all;
    writePart(out, 0, 1, &sum);
  };
}

Work classLossBackward(const ClassLoss& loss, const Array& gradIn, const Array& gradOut, const Array& in,
                       const Array& target, const Array& weight, const Array& total) {
  requireReal({&gradIn, &gradOut, &in, &weight, &total});
  const Classes classes(gradIn);
  check(loss, classes, gradOut, target, weight);
  require(!loss.ofLogits || in.sameSizes(gradIn), "the gradient has other sizes than the input");
  const Array values = loss.ofLogits ? Classes(in).view : Array();
  return [=] {
    const Input<int64_t> targets(target);
    const Input<double> gradients(gradOut);
    const std::vector<double> weights = weightsOf(weight, classes.count);
    double all = 0;
    if (total.data)
      readPart(total, 0, 1, &all);
    else
      for (int64_t i = 0; i < classes.rows; ++i)
        if (const int64_t label = classOf(loss, classes, targets[i]); label >= 0)
          all += weights[static_cast<size_t>(label)];
    std::vector<double> row(static_cast<size_t>(classes.count)), result(row.size());
    for (int64_t i = 0; i < classes.rows; ++i) {
      const int64_t label = classOf(loss, classes, targets[i]);
      std::fill(result.begin(), result.end(), 0.0);
      if (label >= 0) {
        // By the logarithms of the probabilities first.
        const auto at = static_cast<size_t>(label);
        result[at] = -(1 - loss.smoothing) * weights[at];
        double sum = result[at];
        for (size_t c = 0; c < row.size() && loss.smoothing != 0; ++c) {
          const double part = loss.smoothing / static_cast<double>(classes.count) * weights[c];
          result[c] -= part;
          sum -= part;
        }
        if (loss.ofLogits) {
          readPart(values, i * classes.count, classes.count, row.data());
          normalise(row);
          for (size_t c = 0; c < row.size(); ++c) result[c] -= std::exp(row[c]) * sum;
        }
        const double gradient =
            gradients[loss.reduction == LossReduction::kNone ? i : 0] * share(loss.reduction, all);
        for (double& value : result) value *= gradient;
      }
      writePart(classes.view, i * classes.count, classes.count, result.data());
    }
  };
}

Work divergence(LossReduction reduction, bool logarithms, const Array& out, const Array& in,
                const Array& target) {
  requireReal({&out, &in, &target});
  require(in.sameSizes(target), "input and target have different sizes");
  require(out.count() == (reduction == LossReduction::kNone ? in.count() : 1),
          "the loss has not the size of its reduction");
  return [=] {
    const Input<double> x(in), t(target);
    std::vector<double> losses(static_cast<size_t>(in.count()));
    double sum = 0;
    for (size_t i = 0; i < losses.size(); ++i) {
      const double goal = t[static_cast<int64_t>(i)], value = x[static_cast<int64_t>(i)];
      if (logarithms)
        losses[i] = std::exp(goal) * (goal - value);
      else
        losses[i] = goal > 0 ? goal * (std::log(goal) - value) : (goal == 0 ? 0 : NAN);
      sum += losses[i];
    }
    if (reduction == LossReduction::kNone) return writePart(out, 0, in.count(), losses.data());
    sum *= share(reduction, static_cast<double>(in.count()));
    writePart(out, 0, 1, &sum);
  };
}

Work divergenceBackward(LossReduction reduction, bool logarithms, const Array& gradIn, const Array& gradOut,
                        const Array& in, const Array& target) {
  requireReal({&gradIn, &gradOut, &in, &target});
  require(in.sameSizes(target) && gradIn.sameSizes(in), "the tensors have different sizes");
  require(gradOut.count() == (reduction == LossReduction::kNone ? in.count() : 1),
          "the loss has not the size of its reduction");
  return [=] {
    const Input<double> t(target), gradients(gradOut);
    std::vector<double> result(static_cast<size_t>(in.count()));
    const double part = share(reduction, static_cast<double>(in.count()));
    for (size_t i = 0; i < result.size(); ++i) {
      const double goal = t[static_cast<int64_t>(i)];
      const double gradient =
          gradients[reduction == LossReduction::kNone ? static_cast<int64_t>(i) : 0] * part;
      result[i] = logarithms ? -std::exp(goal) * gradient : (goal > 0 ? -goal * gradient : 0);
    }
    writePart(gradIn, 0, in.count(), result.data());
  };
}

}  // namespace musashim::mudnn
