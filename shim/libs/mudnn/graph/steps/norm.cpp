// Normalisation of layers, instances and batches, and by the root of the mean square, with its gradients.
#include <algorithm>

#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

// Which dimensions are normalised together.
std::vector<bool> itemsOf(int mode, const TensorShape& x, const TensorShape* scale) {
  std::vector<bool> isItem;
  for (int d = 0; d < x.rank; ++d) {
    switch (mode) {
      case MUDNN_INSTANCE_NORM:
        isItem.push_back(d >= 2);
        break;
      case MUDNN_BATCH_NORM:
        isItem.push_back(d != 1);
        break;
      default:  // those that the weights have
        isItem.push_back(scale ? scale->size(d) == x.size(d) && (d > 0 || scale->size(d) > 1) &&
                                     !(mode == MUDNN_ADA_LAYER_NORM && d == 0)
                               : d > 0);
    }
  }
  return isItem;
}

void checkMode(int mode) {
  check(mode != MUDNN_GROUP_NORM, MUDNN_STATUS_NOT_SUPPORTED, "normalisation of groups is not supported");
}

struct Moments {
  double mean = 0, deviation = 1;
};
template <class V>
Moments momentsOf(const V* x, const Grouping& grouping, int64_t group, bool isCentered, double epsilon) {
  const auto items = static_cast<double>(grouping.items());
  Moments result;
  if (isCentered) {
    for (int64_t i = 0; i < grouping.items(); ++i)
      result.mean += static_cast<double>(x[grouping.place(group, i)]);
    result.mean /= items;
  }
  double squares = 0;
  for (int64_t i = 0; i < grouping.items(); ++i) {
    const double value = static_cast<double>(x[grouping.place(group, i)]) - result.mean;
    squares += value * value;
  }
  result.deviation = 1 / std::sqrt(squares / items + epsilon);
  return result;
}

}  // namespace

Step normStep(const Descriptor& operation, Tensors& tensors) {
  const auto add = [&](int attribute) { return tensors.add(operation.reference(attribute)); };
  const auto mode = static_cast<int>(operation.integer(MUDNN_ATTR_OPERATION_NORM_FWD_MODE, 0));
  checkMode(mode);
  const bool trains = operation.integer(MUDNN_ATTR_OPERATION_NORM_FWD_PHASE, 0) == MUDNN_NORM_FWD_TRAINING;
  const int x = add(MUDNN_ATTR_OPERATION_NORM_FWD_XDESC), y = add(MUDNN_ATTR_OPERATION_NORM_FWD_YDESC),
            mean = add(MUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC),
            deviation = add(MUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC),
            scale = add(MUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC),
            bias = add(MUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC),
            epsilon = add(MUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC),
            factor = add(MUDNN_ATTR_OPERATION_NORM_FWD_EXP_AVG_FACTOR_DESC),
            oldMean = add(MUDNN_ATTR_OPERATION_NORM_FWD_INPUT_RUNNING_MEAN_DESC),
            oldVariance = add(MUDNN_ATTR_OPERATION_NORM_FWD_INPUT_RUNNING_VAR_DESC),
            newMean = add(MUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_MEAN_DESC),
            newVariance = add(MUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_VAR_DESC);
  check(operation.references(MUDNN_ATTR_OPERATION_NORM_FWD_PEER_STAT_DESCS).size() <= 1,
        MUDNN_STATUS_NOT_SUPPORTED, "statistics of several devices are not supported");
  checkShape(sameSizes(tensors[x], tensors[y]), "the output has other sizes than the input");
  for (const int weight : {scale, bias})
    checkShape(weight < 0 || broadcasts(tensors[weight], tensors[x]),
               "the weights' sizes do not go with the input's");
  // Batches are normalised by what is given where there is no training; others compute it then, too.
  const bool isGiven = !trains && mean >= 0 && deviation >= 0;
  const bool isCentered = mode != MUDNN_RMS_NORM;
  checkShape(isGiven || epsilon >= 0, "there is no epsilon");
  Step step;
  for (const int tensor : {x, scale, bias, epsilon, factor, oldMean, oldVariance})
    if (tensor >= 0) step.inputs.push_back(tensor);
  step.outputs = {y};
  for (const int tensor : {mean, deviation}) {
    if (tensor < 0) continue;
    (isGiven ? step.inputs : step.outputs).push_back(tensor);
  }
  for (const int tensor : {newMean, newVariance})
    if (tensor >= 0) step.outputs.push_back(tensor);
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const Grouping grouping(frame.shape(x),
                              itemsOf(mode, frame.shape(x), scale < 0 ? nullptr : &frame.shape(scale)));
      const V* const in = frame.in<V>(x);
      const auto placesOf = [&](int tensor) {
        return tensor < 0 ? Grouping::Places() : grouping.placesOf(frame.shape(tensor));
      };
      const auto read = [&](int tensor) { return tensor < 0 ? nullptr : frame.in<V>(tensor); };
      const auto scalePlaces = placesOf(scale), biasPlaces = placesOf(bias);
      const V *const weights = read(scale), *const offsets = read(bias), *const formerMean = read(oldMean),
                     *const formerVariance = read(oldVariance),
                     *const givenMean = isGiven ? read(mean) : nullptr,
                     *const givenDeviation = isGiven ? read(deviation) : nullptr;
      const double small = epsilon < 0 ? 0 : frame.scalar(epsilon),
                   share = factor < 0 ? 1 : frame.scalar(factor);
      const auto write = [&](int tensor) { return tensor < 0 ? nullptr : frame.out<V>(tensor); };
      V *const out = frame.out<V>(y), *const outMean = isGiven ? nullptr : write(mean),
               *const outDeviation = isGiven ? nullptr : write(deviation), *const nextMean = write(newMean),
               *const nextVariance = write(newVariance);
      const auto items = static_cast<double>(grouping.items());
      shareRange(grouping.groups(), 4 * grouping.items(), [&](int64_t begin, int64_t end) {
        for (int64_t g = begin; g < end; ++g) {
          Moments moments;
          if (isGiven)
            moments = {static_cast<double>(givenMean[g]), static_cast<double>(givenDeviation[g])};
          else
            moments = momentsOf(in, grouping, g, isCentered, small);
          if (outMean) outMean[g] = static_cast<V>(moments.mean);
          if (outDeviation) outDeviation[g] = static_cast<V>(moments.deviation);
          if (nextMean)
            nextMean[g] = static_cast<V>((1 - share) * (formerMean ? static_cast<double>(formerMean[g]) : 0) +
                                         share * moments.mean);
          if (nextVariance) {
            const double variance = 1 / (moments.deviation * moments.deviation) - small;
            const double unbiased = items > 1 ? variance * items / (items - 1) : variance;
            nextVariance[g] =
                static_cast<V>((1 - share) * (formerVariance ? static_cast<double>(formerVariance[g]) : 0) +
                               share * unbiased);
          }
          for (int64_t i = 0; i < grouping.items(); ++i) {
            const int64_t place = grouping.place(g, i);
            double value = (static_cast<double>(in[place]) - moments.mean) * moments.deviation;
            if (weights) value *= static_cast<double>(weights[scalePlaces(g, i)]);
            if (offsets) value += static_cast<double>(offsets[biasPlaces(g, i)]);
            out[place] = static_cast<V>(value);
          }
        }
      });
    });
  };
  return step;
}

Step normBackwardStep(const Descriptor& operation, Tensors& tensors) {
  const auto add = [&](int attribute) { return tensors.add(operation.reference(attribute)); };
  const auto mode = static_cast<int>(operation.integer(MUDNN_ATTR_OPERATION_NORM_BWD_MODE, 0));
  checkMode(mode);
  const int x = add(MUDNN_ATTR_OPERATION_NORM_BWD_XDESC), mean = add(MUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC),
            deviation = add(MUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC),
            dy = add(MUDNN_ATTR_OPERATION_NORM_BWD_DYDESC),
            scale = add(MUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC),
            epsilon = add(MUDNN_ATTR_OPERATION_NORM_BWD_EPSILON_DESC),
            dScale = add(MUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC),
            dBias = add(MUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC),
            dx = add(MUDNN_ATTR_OPERATION_NORM_BWD_DXDESC);
  check(operation.references(MUDNN_ATTR_OPERATION_NORM_BWD_PEER_STAT_DESCS).size() <= 1,
        MUDNN_STATUS_NOT_SUPPORTED, "statistics of several devices are not supported");
  checkShape(sameSizes(tensors[x], tensors[dy]) && sameSizes(tensors[x], tensors[dx]),
             "the gradients have other sizes than the input");
  checkShape(scale < 0 || broadcasts(tensors[scale], tensors[x]),
             "the weights' sizes do not go with the input's");
  const bool isCentered = mode != MUDNN_RMS_NORM;
  Step step;
  for (const int tensor : {x, mean, deviation, dy, scale, epsilon})
    if (tensor >= 0) step.inputs.push_back(tensor);
  for (const int tensor : {dx, dScale, dBias})
    if (tensor >= 0) step.outputs.push_back(tensor);
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const Grouping grouping(frame.shape(x),
                              itemsOf(mode, frame.shape(x), scale < 0 ? nullptr : &frame.shape(scale)));
      const auto read = [&](int tensor) { return tensor < 0 ? nullptr : frame.in<V>(tensor); };
      const V *const in = read(x), *const gradient = read(dy), *const weights = read(scale),
                     *const givenMean = read(mean), *const givenDeviation = read(deviation);
      const double small = epsilon < 0 ? 1e-5 : frame.scalar(epsilon);
      const auto places = scale < 0 ? Grouping::Places() : grouping.placesOf(frame.shape(scale));
      V* const out = frame.out<V>(dx);
      const int64_t items = grouping.items(), groups = grouping.groups();
      std::vector<Moments> moments(static_cast<size_t>(groups));
      shareRange(groups, 4 * items, [&](int64_t begin, int64_t end) {
        for (int64_t g = begin; g < end; ++g) {
          Moments& own = moments[static_cast<size_t>(g)];
          if (!givenDeviation || (isCentered && !givenMean))
            own = momentsOf(in, grouping, g, isCentered, small);
          if (givenMean && isCentered) own.mean = static_cast<double>(givenMean[g]);
          if (givenDeviation) own.deviation = static_cast<double>(givenDeviation[g]);
          // dx = deviation * (u - mean(u) - x' * mean(u * x')), u = scale * dy and x' as normalised.
          double sum = 0, product = 0;
          const auto scaled = [&](int64_t i) {
            const double value = static_cast<double>(gradient[grouping.place(g, i)]);
            return weights ? value * static_cast<double>(weights[places(g, i)]) : value;
          };
          const auto normal = [&](int64_t i) {
            return (static_cast<double>(in[grouping.place(g, i)]) - own.mean) * own.deviation;
          };
          for (int64_t i = 0; i < items; ++i) {
            sum += scaled(i);
            product += scaled(i) * normal(i);
          }
          sum = isCentered ? sum / static_cast<double>(items) : 0;
          product /= static_cast<double>(items);
          for (int64_t i = 0; i < items; ++i)
            out[grouping.place(g, i)] =
                static_cast<V>(own.deviation * (scaled(i) - sum - normal(i) * product));
        }
      });
      for (const int weight : {dScale, dBias}) {
        if (weight < 0) continue;
        const auto own = grouping.placesOf(frame.shape(weight));
        std::vector<double> sums(static_cast<size_t>(frame.shape(weight).count()));
        for (int64_t g = 0; g < groups; ++g) {
          const Moments& m = moments[static_cast<size_t>(g)];
          for (int64_t i = 0; i < items; ++i) {
            const int64_t place = grouping.place(g, i);
            const double factor =
                weight == dBias ? 1 : (static_cast<double>(in[place]) - m.mean) * m.deviation;
            sums[static_cast<size_t>(own(g, i))] += static_cast<double>(gradient[place]) * factor;
          }
        }
        V* const to = frame.out<V>(weight);
        for (size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<V>(sums[i]);
      }
    });
  };
  return step;
}

}  // namespace musashim::mudnn::graph
