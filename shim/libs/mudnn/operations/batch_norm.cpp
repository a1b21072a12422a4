#include <array>
#include <cmath>

#include "libs/mudnn/operations/norms.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

// Which elements share a mean: those of a channel, or those of one place in all of the batch.
struct Groups {
  explicit Groups(const BatchNormArrays& arrays) {
    const Array& x = arrays.in;
    require(x.rank >= 2, "a batch has channels");
    const int64_t channels = x.sizes[1];
    batch = x.sizes[0];
    const int64_t all = batch * channels == 0 ? 0 : x.count() / (batch * channels);
    groups = arrays.perActivation ? channels * all : channels;
    places = arrays.perActivation ? 1 : all;
  }
  int64_t length() const { return batch * places; }
  // each(index) for all elements of a group.
  template <class Each>
  void forGroup(int64_t group, Each&& each) const {
    for (int64_t n = 0; n < batch; ++n)
      for (int64_t p = 0; p < places; ++p) each((n * groups + group) * places + p);
  }
  // The sums of what add(index, sums) adds for all elements of a group. There are several of each, in turn:
  // one would wait for itself.
  template <size_t kSums, class Add>
  std::array<double, kSums> sumsOf(int64_t group, Add&& add) const {
    constexpr int64_t kTurns = 8;
    std::array<std::array<double, kSums>, kTurns> turns{};
    for (int64_t n = 0; n < batch; ++n) {
      const int64_t first = (n * groups + group) * places, whole = places / kTurns * kTurns;
      for (int64_t p = 0; p < whole; p += kTurns)
        for (int64_t turn = 0; turn < kTurns; ++turn) add(first + p + turn, turns[static_cast<size_t>(turn)]);
      for (int64_t p = whole; p < places; ++p) add(first + p, turns[0]);
    }
    std::array<double, kSums> sums{};
    for (const auto& turn : turns)
      for (size_t i = 0; i < kSums; ++i) sums[i] += turn[i];
    return sums;
  }
  int64_t batch, groups, places;
};

void check(const BatchNormArrays& arrays, const Groups& groups) {
  requireReal({&arrays.out, &arrays.in, &arrays.mean, &arrays.variance, &arrays.scale, &arrays.bias,
               &arrays.savedMean, &arrays.savedInverse});
  require(arrays.out.sameSizes(arrays.in), "the output has other sizes than the input");
  for (const Array* array :
       {&arrays.mean, &arrays.variance, &arrays.scale, &arrays.bias, &arrays.savedMean, &arrays.savedInverse})
    require(!array->data || array->count() == groups.groups,
            "a statistic or factor has not one number per channel");
}

void writeIfThere(const Array& array, const std::vector<double>& values) {
  if (array.data) writePart(array, 0, array.count(), values.data());
}

std::vector<double> read(const Array& array, size_t count, double other) {
  std::vector<double> values(count, other);
  if (array.data) readPart(array, 0, array.count(), values.data());
  return values;
}

struct Statistics {
  std::vector<double> mean, variance;
};

template <class V>
Statistics statisticsOf(const Input<V>& x, const Groups& groups) {
  const auto count = static_cast<size_t>(groups.groups);
  Statistics result{std::vector<double>(count), std::vector<double>(count)};
  shareRange(groups.groups, groups.length() * 2, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const auto [sum] = groups.sumsOf<1>(
          group, [in = x.data()](int64_t i, auto& sums) { sums[0] += static_cast<double>(in[i]); });
      const double mean = sum / static_cast<double>(groups.length());
      const auto [squares] = groups.sumsOf<1>(group, [in = x.data(), mean](int64_t i, auto& sums) {
        const double difference = static_cast<double>(in[i]) - mean;
        sums[0] += difference * difference;
      });
      result.mean[static_cast<size_t>(group)] = mean;
      result.variance[static_cast<size_t>(group)] = squares / static_cast<double>(groups.length());
    }
  });
  return result;
}

template <class V>
void apply(const BatchNormArrays& arrays, const Groups& groups, const Input<V>& x,
           const Statistics& statistics) {
  const Optional<V> scale(arrays.scale, 1), bias(arrays.bias, 0);
  Output<V> y(arrays.out, arrays.beta == 0 ? Output<V>::Content::kNew : Output<V>::Content::kKeep);
  shareRange(groups.groups, groups.length() * 2, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const auto at = static_cast<size_t>(group);
      const double factor = arrays.alpha * static_cast<double>(scale[group]) /
                            std::sqrt(statistics.variance[at] + arrays.epsilon);
      const double mean = statistics.mean[at], shift = arrays.alpha * static_cast<double>(bias[group]);
      groups.forGroup(group, [=, beta = arrays.beta, in = x.data(), out = y.data()](int64_t i) {
        const double before = beta == 0 ? 0 : beta * static_cast<double>(out[i]);
        out[i] = static_cast<V>((static_cast<double>(in[i]) - mean) * factor + shift + before);
      });
    }
  });
  y.store();
}

}  // namespace

Work batchNormInference(const BatchNormArrays& arrays) {
  const Groups groups(arrays);
  check(arrays, groups);
  require(arrays.mean.data && arrays.variance.data, "inference needs a mean and a variance");
  return [=] {
    if (arrays.in.count() == 0) return;
    const auto count = static_cast<size_t>(groups.groups);
    const Statistics statistics{read(arrays.mean, count, 0), read(arrays.variance, count, 1)};
    withReal({&arrays.in, &arrays.out},
             [&]<class V>(V) { apply(arrays, groups, Input<V>(arrays.in), statistics); });
  };
}

Work batchNormTraining(const BatchNormArrays& arrays, double momentum) {
  const Groups groups(arrays);
  check(arrays, groups);
  return [=] {
    if (arrays.in.count() == 0) return;
    const auto count = static_cast<size_t>(groups.groups);
    withReal({&arrays.in, &arrays.out}, [&]<class V>(V) {
      const Input<V> x(arrays.in);
      const Statistics statistics = statisticsOf(x, groups);
      std::vector<double> mean = read(arrays.mean, count, 0), variance = read(arrays.variance, count, 0),
                          inverse(count);
      const double length = static_cast<double>(groups.length()), sample = length / std::max(length - 1, 1.0);
      for (size_t i = 0; i < count; ++i) {
        // What was there may be anything when nothing of it is to stay.
        const auto renewed = [momentum](double old, double now) {
          return (momentum == 1 ? 0 : (1 - momentum) * old) + momentum * now;
        };
        mean[i] = renewed(mean[i], statistics.mean[i]);
        variance[i] = renewed(variance[i], statistics.variance[i] * sample);
        inverse[i] = 1 / std::sqrt(statistics.variance[i] + arrays.epsilon);
      }
      apply(arrays, groups, x, statistics);
      writeIfThere(arrays.mean, mean);
      writeIfThere(arrays.variance, variance);
      writeIfThere(arrays.savedMean, statistics.mean);
      writeIfThere(arrays.savedInverse, inverse);
    });
  };
}

Work batchNormBackward(const BatchNormArrays& arrays, const BatchNormGradients& gradients, bool ofBatch) {
  const Groups groups(arrays);
  check(arrays, groups);
  require(!gradients.in.data || gradients.in.sameSizes(arrays.in),
          "the gradient has other sizes than the input");
  for (const Array* array : {&gradients.mean, &gradients.variance, &gradients.scale, &gradients.bias})
    require(!array->data || array->count() == groups.groups, "a gradient has not one number per channel");
  require(ofBatch || (arrays.savedMean.data && arrays.savedInverse.data),
          "the gradient needs mean and deviation");
  return [=] {
    if (arrays.in.count() == 0) return;
    const auto count = static_cast<size_t>(groups.groups);
    withReal({&arrays.in, &arrays.out}, [&]<class V>(V) {
      const Input<V> x(arrays.in), dy(arrays.out);
      std::vector<double> mean = read(arrays.savedMean, count, 0),
                          inverse = read(arrays.savedInverse, count, 0);
      if (!arrays.savedMean.data || !arrays.savedInverse.data) {
        const Statistics statistics = statisticsOf(x, groups);
        mean = statistics.mean;
        for (size_t i = 0; i < count; ++i)
          inverse[i] = 1 / std::sqrt(statistics.variance[i] + arrays.epsilon);
      }
      const Optional<double> scale(arrays.scale, 1);
      std::vector<double> means(count), variances(count), scales(count), biases(count);
      std::unique_ptr<Output<V>> dx;
      if (gradients.in.data)
        dx = std::make_unique<Output<V>>(
            gradients.in, arrays.beta == 0 ? Output<V>::Content::kNew : Output<V>::Content::kKeep);
      const double length = static_cast<double>(groups.length());
      shareRange(groups.groups, groups.length() * 4, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
          const auto at = static_cast<size_t>(group);
          const auto [sum, products] =
              groups.sumsOf<2>(group, [in = x.data(), grad = dy.data(), middle = mean[at],
                                       inverse = inverse[at]](int64_t i, auto& sums) {
                sums[0] += static_cast<double>(grad[i]);
                sums[1] += static_cast<double>(grad[i]) * ((static_cast<double>(in[i]) - middle) * inverse);
              });
          scales[at] = products;
          biases[at] = sum;
          const double factor = scale[group] * inverse[at];
          if (!ofBatch) {
            means[at] = -factor * sum;
            variances[at] = -0.5 * factor * inverse[at] * products;
          }
          if (!dx) continue;
          const double shift = sum / length, slope = inverse[at] * products / length;
          groups.forGroup(group, [=, beta = arrays.beta, scaled = arrays.alpha * factor, middle = mean[at],
                                  in = x.data(), grad = dy.data(), out = dx->data()](int64_t i) {
            // What the batch's own mean and variance take away.
            const double taken = ofBatch ? shift + (static_cast<double>(in[i]) - middle) * slope : 0;
            const double gradient = static_cast<double>(grad[i]) - taken;
            const double before = beta == 0 ? 0 : beta * static_cast<double>(out[i]);
            out[i] = static_cast<V>(scaled * gradient + before);
          });
        }
      });
      if (dx) dx->store();
      const auto blended = [&](const Array& array, std::vector<double> values) {
        const std::vector<double> old = read(gradients.scaleBeta == 0 ? Array() : array, count, 0);
        for (size_t i = 0; i < count; ++i)
          values[i] = gradients.scaleAlpha * values[i] + gradients.scaleBeta * old[i];
        writeIfThere(array, values);
      };
      blended(gradients.scale, scales);
      blended(gradients.bias, biases);
      writeIfThere(gradients.mean, means);
      writeIfThere(gradients.variance, variances);
    });
  };
}

}  // namespace musashim::mudnn
