#include "libs/mudnn/operations/reduce.h"

#include <cmath>
#include <numeric>

#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/elementwise/functions.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

using Mode = musa::dnn::Reduce::Mode;

double norm(double order, const auto* row, int64_t count) {
  double result = order < 0 && std::isinf(order) ? INFINITY : 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = std::abs(static_cast<double>(row[i]));
    if (order == 0)
      result += value != 0;
    else if (std::isinf(order))
      result = order > 0 ? larger(result, value) : smaller(result, value);
    else if (order == 1)
      result += value;
    else
      result += order == 2 ? value * value : std::pow(value, order);
  }
  if (order == 0 || order == 1 || std::isinf(order)) return result;
  return order == 2 ? std::sqrt(result) : std::pow(result, 1 / order);
}

double variance(double correction, const auto* row, int64_t count) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(row[i]);
  const double mean = sum / static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(row[i]) - mean;
    squares += difference * difference;
  }
  return squares / std::max(static_cast<double>(count) - correction, 0.0);
}

// R: double, or the integers that the row has.
template <class V, class R>
R reduced(const Reduction& reduction, const V* row, int64_t count) {
  R result = reduction.mode == Mode::PROD || reduction.mode == Mode::AND ? R(1) : R(0);
  const auto fold = [&](auto&& function) {
    for (int64_t i = 0; i < count; ++i) result = function(result, static_cast<R>(row[i]));
  };
  switch (reduction.mode) {
    case Mode::ADD:
    case Mode::MEAN:
      fold([](R a, R b) { return static_cast<R>(a + b); });
      return reduction.mode == Mode::MEAN
                 ? static_cast<R>(static_cast<double>(result) / static_cast<double>(count))
                 : result;
    case Mode::PROD:
      fold([](R a, R b) { return static_cast<R>(a * b); });
      return result;
    case Mode::MIN:
    case Mode::MAX:
      if (count > 0) result = static_cast<R>(row[0]);
      if (reduction.mode == Mode::MIN)
        fold([](R a, R b) { return smaller(a, b); });
      else
        fold([](R a, R b) { return larger(a, b); });
      return result;
    case Mode::AND:
      fold([](R a, R b) { return static_cast<R>(a != 0 && b != 0); });
      return result;
    case Mode::OR:
      fold([](R a, R b) { return static_cast<R>(a != 0 || b != 0); });
      return result;
    case Mode::NORM:
      return static_cast<R>(norm(reduction.order, row, count));
    case Mode::VARIANCE:
      return static_cast<R>(variance(reduction.correction, row, count));
    default:
      return static_cast<R>(std::sqrt(variance(reduction.correction, row, count)));
  }
}

template <class V>
int64_t placeOf(Mode mode, const V* row, int64_t count) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; ++i) {
    if (row[best] != row[best]) return best;
    if (row[i] != row[i] || (mode == Mode::MIN ? row[i] < row[best] : row[i] > row[best])) best = i;
  }
  return best;
}

template <class V, class R>
void run(const Reduction& reduction, const Array& out, const Array& indices, const Array& rows,
         int64_t length) {
  const Input<V> in(rows);
  const int64_t count = out.data ? out.count() : indices.count();
  std::vector<R> results(out.data ? static_cast<size_t>(count) : 0);
  std::vector<int64_t> places(indices.data ? static_cast<size_t>(count) : 0);
  shareRange(count, length, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const V* const row = in.data() + i * length;
      if (out.data) results[static_cast<size_t>(i)] = reduced<V, R>(reduction, row, length);
      if (indices.data) places[static_cast<size_t>(i)] = placeOf(reduction.mode, row, length);
    }
  });
  if (out.data) writePart(out, 0, count, results.data());
  if (indices.data) writePart(indices, 0, count, places.data());
}

}  // namespace

Work reduce(const Reduction& reduction, const Array& out, const Array& indices, const Array& in) {
  std::vector<int> axes = reduction.axes;
  if (axes.empty()) {
    axes.resize(static_cast<size_t>(in.rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  for (int& axis : axes) axis = in.axis(axis);
  const Array rows = axesLast(in, axes);
  const int64_t length = lengthOf(in, axes);
  for (const Array* array : {&out, &indices})
    require(!array->data || array->count() * length == in.count(),
            "the output's sizes are not those of the reduction");
  require(!indices.data || reduction.mode == Mode::MIN || reduction.mode == Mode::MAX,
          "places are those of the least or the largest");
  const bool needsOne = reduction.mode == Mode::MIN || reduction.mode == Mode::MAX;
  require(!needsOne || length > 0, "there is no least or largest of nothing");
  const bool isReal = reduction.mode == Mode::MEAN || reduction.mode >= Mode::NORM;
  const bool integersStay = !isReal || reduction.mode == Mode::AND || reduction.mode == Mode::OR;
  return [=] {
    withKind(kindOf(in.element), [&]<class V>(V) {
      if constexpr (std::is_integral_v<V>)
        if (integersStay) return run<V, V>(reduction, out, indices, rows, length);
      run<V, double>(reduction, out, indices, rows, length);
    });
  };
}

Work accumulate(musa::dnn::Cum::Mode mode, int axis, const Array& out, const Array& in) {
  require(out.sameSizes(in), "the output has other sizes than the input");
  const int dimension = in.axis(axis);
  const Array from = axesLast(in, {dimension}), to = axesLast(out, {dimension});
  const int64_t length = in.sizes[static_cast<size_t>(dimension)];
  return [=] {
    if (length == 0) return;
    withKind(kindOf(in.element), [&]<class V>(V) {
      using Sum = std::conditional_t<std::is_integral_v<V>, V, double>;
      const Input<V> values(from);
      Output<V> sums(to);
      shareRange(in.count() / length, length, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          Sum sum = mode == musa::dnn::Cum::Mode::ADD ? Sum(0) : Sum(1);
          for (int64_t i = row * length; i < (row + 1) * length; ++i) {
            if (mode == musa::dnn::Cum::Mode::ADD)
              sum += static_cast<Sum>(values[i]);
            else
              sum *= static_cast<Sum>(values[i]);
            sums[i] = static_cast<V>(sum);
          }
        }
      });
      sums.store();
    });
  };
}

}  // namespace musashim::mudnn
