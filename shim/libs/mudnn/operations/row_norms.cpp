#include <cmath>

#include "libs/mudnn/operations/norms.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

struct Moments {
  double mean, inverse;
};

// `at` gives the index of each of `count` elements.
template <class V, class At>
Moments momentsOf(const V* values, int64_t count, bool centers, double epsilon, At&& at) {
  double sum = 0, squares = 0;
  if (centers)
    for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(values[at(i)]);
  const double mean = sum / static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(values[at(i)]) - mean;
    squares += difference * difference;
  }
  return {mean, 1 / std::sqrt(squares / static_cast<double>(count) + epsilon)};
}

void writeIfThere(const Array& array, const std::vector<double>& values) {
  if (array.data) writePart(array, 0, array.count(), values.data());
}

void check(const RowNorm& norm, const RowNormArrays& arrays, int64_t length) {
  requireReal({&arrays.out, &arrays.in, &arrays.gamma, &arrays.beta, &arrays.mean, &arrays.inverse});
  require(!norm.axes.empty() && arrays.out.sameSizes(arrays.in),
          "there is no dimension, or the sizes are different");
  for (const Array* array : {&arrays.gamma, &arrays.beta})
    require(!array->data || array->count() == length, "gamma or beta has not the normalised sizes");
  for (const Array* array : {&arrays.mean, &arrays.inverse})
    require(!array->data || array->count() * length == arrays.in.count(),
            "a statistic has other sizes than the rows");
}

RowNorm resolved(const RowNorm& norm, const Array& in) {
  RowNorm result = norm;
  for (int& axis : result.axes) axis = in.axis(axis);
  return result;
}

}  // namespace

Work rowNorm(const RowNorm& wanted, const RowNormArrays& arrays) {
  const RowNorm norm = resolved(wanted, arrays.in);
  const int64_t length = lengthOf(arrays.in, norm.axes);
  check(norm, arrays, length);
  const Array from = axesLast(arrays.in, norm.axes), to = axesLast(arrays.out, norm.axes);
  return [=] {
    if (from.count() == 0) return;
    const int64_t rows = from.count() / length;
    std::vector<double> means(static_cast<size_t>(rows)), inverses(static_cast<size_t>(rows));
    withReal({&from, &to}, [&]<class V>(V) {
      const Input<V> x(from);
      const Optional<V> gamma(arrays.gamma, 1), beta(arrays.beta, 0);
      Output<V> y(to);
      shareRange(rows, length * 4, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const V* const values = x.data() + row * length;
          V* const results = y.data() + row * length;
          const Moments moments =
              momentsOf(values, length, norm.centers, norm.epsilon, [](int64_t i) { return i; });
          means[static_cast<size_t>(row)] = moments.mean;
          inverses[static_cast<size_t>(row)] = moments.inverse;
          for (int64_t i = 0; i < length; ++i)
            results[i] = static_cast<V>((static_cast<double>(values[i]) - moments.mean) * moments.inverse *
                                            static_cast<double>(gamma[i]) +
                                        static_cast<double>(beta[i]));
        }
      });
      y.store();
    });
    writeIfThere(arrays.mean, means);
    writeIfThere(arrays.inverse, inverses);
  };
}

Work rowNormBackward(const RowNorm& wanted, const RowNormGradients& gradients, const RowNormArrays& arrays) {
  const RowNorm norm = resolved(wanted, arrays.in);
  const int64_t length = lengthOf(arrays.in, norm.axes);
  check(norm, arrays, length);
  require((arrays.mean.data || !norm.centers) && arrays.inverse.data,
          "the gradient needs the rows' statistics");
  require(!gradients.in.data || gradients.in.sameSizes(arrays.in),
          "the gradient has other sizes than the input");
  for (const Array* array : {&gradients.gamma, &gradients.beta})
    require(!array->data || array->count() == length,
            "the gradient of gamma or beta has not the normalised sizes");
  const Array from = axesLast(arrays.in, norm.axes), dyFrom = axesLast(arrays.out, norm.axes),
              to = gradients.in.data ? axesLast(gradients.in, norm.axes) : gradients.in;
  return [=] {
    if (from.count() == 0) return;
    const int64_t rows = from.count() / length;
    withReal({&from, &dyFrom}, [&]<class V>(V) {
      const Input<V> x(from), dy(dyFrom);
      const Optional<V> gamma(arrays.gamma, 1);
      const Optional<double> mean(arrays.mean, 0), inverse(arrays.inverse, 0);
      const double count = static_cast<double>(length);
      if (to.data) {
        Output<V> dx(to);
        shareRange(rows, length * 4, [&](int64_t begin, int64_t end) {
          for (int64_t row = begin; row < end; ++row) {
            const double middle = mean[row], scale = inverse[row];
            double sum = 0, products = 0;
            for (int64_t i = 0; i < length; ++i) {
              const double gradient =
                  static_cast<double>(dy[row * length + i]) * static_cast<double>(gamma[i]);
              sum += gradient;
              products += gradient * (static_cast<double>(x[row * length + i]) - middle) * scale;
            }
            if (!norm.centers) sum = 0;
            for (int64_t i = 0; i < length; ++i) {
              const int64_t at = row * length + i;
              const double gradient = static_cast<double>(dy[at]) * static_cast<double>(gamma[i]);
              const double normal = (static_cast<double>(x[at]) - middle) * scale;
              dx[at] = static_cast<V>(scale * (gradient - (sum + normal * products) / count));
            }
          }
        });
        dx.store();
      }
      if (!gradients.gamma.data && !gradients.beta.data) return;
      std::vector<double> gammas(static_cast<size_t>(length)), betas(static_cast<size_t>(length));
      shareRange(length, rows * 2, [&](int64_t begin, int64_t end) {
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t i = begin; i < end; ++i) {
            const double gradient = static_cast<double>(dy[row * length + i]);
            gammas[static_cast<size_t>(i)] +=
                gradient * (static_cast<double>(x[row * length + i]) - mean[row]) * inverse[row];
            betas[static_cast<size_t>(i)] += gradient;
          }
      });
      writeIfThere(gradients.gamma, gammas);
      writeIfThere(gradients.beta, betas);
    });
  };
}

Work groupNorm(int wanted, int groups, double epsilon, const RowNormArrays& arrays) {
  const int axis = arrays.in.axis(wanted);
  requireReal({&arrays.out, &arrays.in, &arrays.gamma, &arrays.beta, &arrays.mean, &arrays.inverse});
  const int64_t channels = arrays.in.sizes[static_cast<size_t>(axis)], batch = arrays.in.sizes[0];
  require(axis > 0 && groups >= 1 && channels % groups == 0, "the channels do not go with the groups");
  require(arrays.out.sameSizes(arrays.in), "the output has other sizes than the input");
  for (const Array* array : {&arrays.gamma, &arrays.beta})
    require(!array->data || array->count() == channels, "gamma and beta have one number for each channel");
  for (const Array* array : {&arrays.mean, &arrays.inverse})
    require(!array->data || array->count() == batch * groups, "a statistic has other sizes than the groups");
  std::array<int, kMaxRank> order{0, axis};
  int count = 2;
  for (int i = 1; i < arrays.in.rank; ++i)
    if (i != axis) order[static_cast<size_t>(count++)] = i;
  const Array from = permuted(arrays.in, order.data()), to = permuted(arrays.out, order.data());
  return [=] {
    if (from.count() == 0) return;
    const int64_t places = from.count() / (batch * channels), length = places * (channels / groups);
    std::vector<double> means(static_cast<size_t>(batch * groups)),
        inverses(static_cast<size_t>(batch * groups));
    withReal({&from, &to}, [&]<class V>(V) {
      const Input<V> x(from);
      const Optional<V> gamma(arrays.gamma, 1), beta(arrays.beta, 0);
      Output<V> y(to);
      shareRange(batch * groups, length * 4, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const Moments moments =
              momentsOf(x.data() + row * length, length, true, epsilon, [](int64_t i) { return i; });
          means[static_cast<size_t>(row)] = moments.mean;
          inverses[static_cast<size_t>(row)] = moments.inverse;
          for (int64_t i = 0; i < length; ++i) {
            const int64_t channel = row % groups * (channels / groups) + i / places;
            y[row * length + i] = static_cast<V>((static_cast<double>(x[row * length + i]) - moments.mean) *
                                                     moments.inverse * static_cast<double>(gamma[channel]) +
                                                 static_cast<double>(beta[channel]));
          }
        }
      });
      y.store();
    });
    writeIfThere(arrays.mean, means);
    writeIfThere(arrays.inverse, inverses);
  };
}

}  // namespace musashim::mudnn
