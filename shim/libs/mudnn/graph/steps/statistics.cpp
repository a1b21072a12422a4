// Batch normalisation in parts: sums of channels, what follows from them, and the gradients of its weights.
#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

// Items are the dimensions that `by` does not have.
Grouping channelsOf(const TensorShape& x, const TensorShape& by) {
  std::vector<bool> isItem;
  for (int d = 0; d < x.rank; ++d) isItem.push_back(by.size(d) == 1);
  return Grouping(x, isItem);
}

Step sums(const Descriptor& operation, Tensors& tensors) {
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_GENSTATS_XDESC)),
            sum = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_GENSTATS_SUMDESC)),
            squares = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC));
  // There are as many as x has channels, whatever the descriptors of the sums tell: a published sample of
  // cuDNN's has another number there.
  for (const int by : {sum, squares})
    if (TensorShape& shape = tensors.change(by); shape.rank == tensors[x].rank && shape.size(1) > 1)
      shape.sizes[1] = tensors[x].sizes[1];
  checkShape(broadcasts(tensors[sum], tensors[x]) && sameSizes(tensors[sum], tensors[squares]),
             "the sums have other channels than the tensor");
  Step step;
  step.inputs = {x};
  step.outputs = {sum, squares};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const Grouping grouping = channelsOf(frame.shape(x), frame.shape(sum));
      const V* const in = frame.in<V>(x);
      V *const first = frame.out<V>(sum), *const second = frame.out<V>(squares);
      shareRange(grouping.groups(), grouping.items(), [&](int64_t begin, int64_t end) {
        for (int64_t g = begin; g < end; ++g) {
          double total = 0, square = 0;
          for (int64_t i = 0; i < grouping.items(); ++i) {
            const auto value = static_cast<double>(in[grouping.place(g, i)]);
            total += value;
            square += value * value;
          }
          first[g] = static_cast<V>(total);
          second[g] = static_cast<V>(square);
        }
      });
    });
  };
  return step;
}

struct Finalization {
  int sum, squares, scale, bias, oldMean, oldVariance, newMean, newVariance, savedMean, savedDeviation,
      eqScale, eqBias, count, epsilon, factor;
};

Step finalization(const Descriptor& operation, Tensors& tensors) {
  const auto add = [&](int attribute) { return tensors.add(operation.reference(attribute)); };
  const Finalization f{add(MUDNN_ATTR_OPERATION_BN_FINALIZE_Y_SUM_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_Y_SQ_SUM_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_SCALE_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_BIAS_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_PREV_RUNNING_MEAN_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_PREV_RUNNING_VAR_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_UPDATED_RUNNING_MEAN_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_UPDATED_RUNNING_VAR_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_SAVED_MEAN_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_SAVED_INV_STD_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_EQ_SCALE_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_EQ_BIAS_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_ACCUM_COUNT_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_EPSILON_DESC),
                       add(MUDNN_ATTR_OPERATION_BN_FINALIZE_EXP_AVERATE_FACTOR_DESC)};
  const bool trains = operation.integer(MUDNN_ATTR_OPERATION_BN_FINALIZE_STATS_MODE, 0) ==
                      MUDNN_BN_FINALIZE_STATISTICS_TRAINING;
  Step step;
  if (trains)
    checkShape(f.sum >= 0 && f.squares >= 0 && f.count >= 0, "statistics come from sums and a count");
  else
    checkShape(f.oldMean >= 0 && f.oldVariance >= 0, "without training, statistics are those of before");
  for (const int tensor :
       {f.sum, f.squares, f.scale, f.bias, f.oldMean, f.oldVariance, f.count, f.epsilon, f.factor})
    if (tensor >= 0) step.inputs.push_back(tensor);
  for (const int tensor : {f.newMean, f.newVariance, f.savedMean, f.savedDeviation, f.eqScale, f.eqBias})
    if (tensor >= 0) step.outputs.push_back(tensor);
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const int64_t channels = frame.shape(f.scale).count();
      const auto read = [&](int tensor) { return tensor < 0 ? nullptr : frame.in<V>(tensor); };
      const V *const sum = read(f.sum), *const squares = read(f.squares), *const scale = read(f.scale),
                     *const bias = read(f.bias), *const oldMean = read(f.oldMean),
                     *const oldVariance = read(f.oldVariance);
      const double epsilon = frame.scalar(f.epsilon), factor = f.factor < 0 ? 1 : frame.scalar(f.factor);
      const double count = f.count < 0 ? 1 : static_cast<double>(frame.integers(f.count)[0]);
      std::vector<V*> outs;
      for (const int tensor : {f.newMean, f.newVariance, f.savedMean, f.savedDeviation, f.eqScale, f.eqBias})
        outs.push_back(tensor < 0 ? nullptr : frame.out<V>(tensor));
      for (int64_t c = 0; c < channels; ++c) {
        double mean, variance;
        if (trains) {
          mean = static_cast<double>(sum[c]) / count;
          variance = static_cast<double>(squares[c]) / count - mean * mean;
        } else {
          mean = static_cast<double>(oldMean[c]);
          variance = static_cast<double>(oldVariance[c]);
        }
        const double deviation = 1 / std::sqrt(variance + epsilon),
                     factorOf = static_cast<double>(scale[c]) * deviation;
        const double unbiased = count > 1 ? variance * count / (count - 1) : variance;
        const double results[] = {
            oldMean ? (1 - factor) * static_cast<double>(oldMean[c]) + factor * mean : mean,
            oldVariance ? (1 - factor) * static_cast<double>(oldVariance[c]) + factor * unbiased : unbiased,
            mean,
            deviation,
            factorOf,
            static_cast<double>(bias[c]) - mean * factorOf};
        for (size_t i = 0; i < outs.size(); ++i)
          if (outs[i]) outs[i][c] = static_cast<V>(results[i]);
      }
    });
  };
  return step;
}

Step gradients(const Descriptor& operation, Tensors& tensors) {
  const auto add = [&](int attribute) { return tensors.add(operation.reference(attribute)); };
  const int mean = add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MEAN_DESC),
            deviation = add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC),
            scale = add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC),
            x = add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_X_DESC),
            dy = add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DY_DESC);
  const std::vector<int> outputs{add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC),
                                 add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC),
                                 add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC),
                                 add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC),
                                 add(MUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_BIAS)};
  Step step;
  step.inputs = {mean, deviation, scale, x, dy};
  for (const int tensor : step.inputs)
    checkShape(tensor >= 0, "an input of the weights' gradients is missing");
  for (const int tensor : outputs)
    if (tensor >= 0) step.outputs.push_back(tensor);
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const Grouping grouping = channelsOf(frame.shape(x), frame.shape(mean));
      const V *const m = frame.in<V>(mean), *const d = frame.in<V>(deviation), *const s = frame.in<V>(scale),
                     *const in = frame.in<V>(x), *const gradient = frame.in<V>(dy);
      std::vector<V*> outs;
      for (const int tensor : outputs) outs.push_back(tensor < 0 ? nullptr : frame.out<V>(tensor));
      const auto items = static_cast<double>(grouping.items());
      shareRange(grouping.groups(), grouping.items(), [&](int64_t begin, int64_t end) {
        for (int64_t g = begin; g < end; ++g) {
          const auto center = static_cast<double>(m[g]), inverse = static_cast<double>(d[g]);
          double ofScale = 0, ofBias = 0;
          for (int64_t i = 0; i < grouping.items(); ++i) {
            const int64_t place = grouping.place(g, i);
            const auto value = static_cast<double>(gradient[place]);
            ofScale += value * (static_cast<double>(in[place]) - center) * inverse;
            ofBias += value;
          }
          const double factor = static_cast<double>(s[g]) * inverse;
          // dx = factor * dy + results[3] * x + results[4]
          const double results[] = {ofScale, ofBias, factor, -factor * inverse * ofScale / items,
                                    factor * (center * inverse * ofScale - ofBias) / items};
          for (size_t i = 0; i < outs.size(); ++i)
            if (outs[i]) outs[i][g] = static_cast<V>(results[i]);
        }
      });
    });
  };
  return step;
}

}  // namespace

Step statisticsStep(const Descriptor& operation, Tensors& tensors) {
  if (operation.kind == MUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR) return sums(operation, tensors);
  if (operation.kind == MUDNN_BACKEND_OPERATION_BN_FINALIZE_STATISTICS_DESCRIPTOR)
    return finalization(operation, tensors);
  return gradients(operation, tensors);
}

}  // namespace musashim::mudnn::graph
