// Operations element by element.
#include <algorithm>
#include <limits>

#include "libs/mudnn/graph/steps/pointwise_functions.h"
#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

bool isBackward(int mode) {
  return mode >= MUDNN_POINTWISE_RELU_BWD && mode <= MUDNN_POINTWISE_GELU_APPROX_TANH_BWD;
}

bool isBinary(int mode) {
  switch (mode) {
    case MUDNN_POINTWISE_ADD:
    case MUDNN_POINTWISE_ADD_SQUARE:
    case MUDNN_POINTWISE_DIV:
    case MUDNN_POINTWISE_MAX:
    case MUDNN_POINTWISE_MIN:
    case MUDNN_POINTWISE_MOD:
    case MUDNN_POINTWISE_FLOOR_MOD:
    case MUDNN_POINTWISE_MUL:
    case MUDNN_POINTWISE_POW:
    case MUDNN_POINTWISE_SUB:
    case MUDNN_POINTWISE_ATAN2:
    case MUDNN_POINTWISE_LOGICAL_AND:
    case MUDNN_POINTWISE_LOGICAL_OR:
    case MUDNN_POINTWISE_BINARY_SELECT:
      return true;
    default:
      return mode >= MUDNN_POINTWISE_CMP_EQ && mode <= MUDNN_POINTWISE_CMP_LE;
  }
}

// Places along an axis, as numbers.
template <class V>
void places(const TensorShape& shape, int64_t axis, int64_t begin, int64_t count, V* to) {
  int64_t inner = 1;
  for (int d = shape.rank - 1; d > axis; --d) inner *= shape.sizes[static_cast<size_t>(d)];
  const int64_t length = shape.sizes[static_cast<size_t>(axis)];
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<V>((begin + i) / inner % length);
}

}  // namespace

void checkPointwiseInputs(const Descriptor& operation) {
  const Ref how = operation.reference(MUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const auto mode = static_cast<int>(how->integer(MUDNN_ATTR_POINTWISE_MODE, MUDNN_POINTWISE_ADD));
  const bool backward = isBackward(mode);
  checkShape(
      operation.has(backward ? MUDNN_ATTR_OPERATION_POINTWISE_DXDESC : MUDNN_ATTR_OPERATION_POINTWISE_YDESC),
      "a pointwise operation has no output");
  if (backward || isBinary(mode))
    checkShape(operation.has(backward ? MUDNN_ATTR_OPERATION_POINTWISE_DYDESC
                                      : MUDNN_ATTR_OPERATION_POINTWISE_BDESC),
               "a pointwise operation lacks an input");
  if (mode == MUDNN_POINTWISE_BINARY_SELECT)
    checkShape(operation.has(MUDNN_ATTR_OPERATION_POINTWISE_TDESC), "a mask is what a selection goes by");
}

Step pointwiseStep(const Descriptor& operation, Tensors& tensors) {
  const Ref how = operation.reference(MUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const auto mode = static_cast<mudnnPointwiseMode_t>(how->integer(MUDNN_ATTR_POINTWISE_MODE, 0));
  PointwiseSettings settings;
  settings.mode = mode;
  settings.lower = how->real(MUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, 0);
  settings.upper = how->real(MUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, std::numeric_limits<double>::infinity());
  settings.slope = how->real(MUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0);
  settings.alpha = how->real(MUDNN_ATTR_POINTWISE_ELU_ALPHA, 1);
  settings.beta = how->real(mode == MUDNN_POINTWISE_SOFTPLUS_FWD || mode == MUDNN_POINTWISE_SOFTPLUS_BWD
                                ? MUDNN_ATTR_POINTWISE_SOFTPLUS_BETA
                                : MUDNN_ATTR_POINTWISE_SWISH_BETA,
                            1);
  const double alpha1 = operation.real(MUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1);
  const double alpha2 = operation.real(MUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1);
  const bool backward = isBackward(mode);
  checkPointwiseInputs(operation);
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_POINTWISE_XDESC));
  // An input that the mode does not take is none.
  const int b = backward || isBinary(mode)
                    ? tensors.add(operation.reference(backward ? MUDNN_ATTR_OPERATION_POINTWISE_DYDESC
                                                               : MUDNN_ATTR_OPERATION_POINTWISE_BDESC))
                    : -1;
  const int t = mode == MUDNN_POINTWISE_BINARY_SELECT
                    ? tensors.add(operation.reference(MUDNN_ATTR_OPERATION_POINTWISE_TDESC))
                    : -1;
  const int y = tensors.add(operation.reference(backward ? MUDNN_ATTR_OPERATION_POINTWISE_DXDESC
                                                         : MUDNN_ATTR_OPERATION_POINTWISE_YDESC));
  Step step;
  for (const int input : {x, b, t}) {
    if (input < 0) continue;
    checkShape(broadcasts(tensors[input], tensors[y]), "an input's sizes do not go with the output's");
    step.inputs.push_back(input);
  }
  const int64_t axis = how->integer(MUDNN_ATTR_POINTWISE_AXIS, -1);
  if (mode == MUDNN_POINTWISE_GEN_INDEX)
    checkShape(axis >= 0 && axis < tensors[y].rank, "there is no such axis");
  step.outputs = {y};
  // A softmax of nothing but minus infinities has exponentials of 0, a sum of 0, and zeros.
  const bool isShift = x >= 0 && mode == MUDNN_POINTWISE_SUB && tensors[b].largestOf == x;
  const bool isShare =
      x >= 0 && mode == MUDNN_POINTWISE_DIV && tensors[x].isOfSoftmax && tensors[b].sumOf == x;
  if (isShift || (x >= 0 && mode == MUDNN_POINTWISE_EXP && tensors[x].isOfSoftmax))
    tensors.change(y).isOfSoftmax = true;
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const TensorShape& like = frame.shape(y);
      std::vector<Spread<V>> sources;
      for (const int input : {x, b, t})
        if (input >= 0) sources.emplace_back(frame, input, like);
      V* const out = frame.out<V>(y);
      shareRange(like.count(), 4, [&](int64_t begin, int64_t end) {
        constexpr int64_t kRun = 512;
        V room[3][kRun];
        for (int64_t at = begin; at < end; at += kRun) {
          const int64_t n = std::min(kRun, end - at);
          if (mode == MUDNN_POINTWISE_GEN_INDEX) {
            places(like, axis, at, n, out + at);
            continue;
          }
          const V* inputs[3] = {};
          for (size_t i = 0; i < sources.size(); ++i) {
            inputs[i] = sources[i].read(at, n, room[i]);
            const double factor = i == 0 ? alpha1 : alpha2;
            if (factor == 1 || i > 1) continue;
            for (int64_t j = 0; j < n; ++j) room[i][j] = static_cast<V>(factor) * inputs[i][j];
            inputs[i] = room[i];
          }
          if (isShift || isShare) {
            const V nothing = isShift ? -std::numeric_limits<V>::infinity() : V(0);
            std::replace_copy(inputs[1], inputs[1] + n, room[1], nothing, isShift ? V(0) : V(1));
            inputs[1] = room[1];
          }
          pointwise(settings, inputs, out + at, n);
        }
      });
    });
  };
  return step;
}

}  // namespace musashim::mudnn::graph
