// musa::dnn::Pooling, BatchNorm, LayerNorm, RMSNorm and GroupNorm.
#include "libs/mudnn/operations/norms.h"

#include <mudnncxx/mudnn_nn.h>

#include <algorithm>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/cxx/formats.h"
#include "libs/mudnn/operations/pooling/pooling.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::Array;
using musashim::mudnn::BatchNormArrays;
using musashim::mudnn::channelsSecond;
using musashim::mudnn::given;
using musashim::mudnn::optional;
using musashim::mudnn::PoolingProblem;
using musashim::mudnn::run;

Array optionalChannels(const Tensor& tensor) {
  return Internals::isEmpty(tensor) ? Array() : channelsSecond(tensor);
}

Status setAxes(int& to, int* axes, int count, const int* from) {
  if (count < 1 || count > musashim::mudnn::kMaxRank || !from) return Status::INVALID_PARAMETER;
  to = count;
  std::copy_n(from, count, axes);
  return Status::SUCCESS;
}

}  // namespace

Status Pooling::SetMode(Mode mode) {
  if (mode < Mode::MAXPOOL || mode > Mode::ADAPTIVE_AVGPOOL) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Pooling::SetNdInfo(std::initializer_list<int> window, std::initializer_list<int> pads,
                          std::initializer_list<int> strides, std::initializer_list<int> dilations) {
  const size_t count = window.size();
  if (pads.size() != count || strides.size() != count || dilations.size() != count)
    return Status::INVALID_PARAMETER;
  return SetNdInfo(static_cast<int>(count), window.begin(), pads.begin(), strides.begin(), dilations.begin());
}
Status Pooling::SetNdInfo(int count, const int* window, const int* pads, const int* strides,
                          const int* dilations) {
  if (count < 1 || count > 3 || !window || !pads || !strides || !dilations) return Status::INVALID_PARAMETER;
  for (int i = 0; i < count; ++i)
    if (window[i] < 1 || pads[i] < 0 || strides[i] < 1 || dilations[i] < 1) return Status::INVALID_PARAMETER;
  count_ = count;
  std::copy_n(window, count, window_);
  std::copy_n(pads, count, pads_);
  std::copy_n(strides, count, strides_);
  std::copy_n(dilations, count, dilations_);
  return Status::SUCCESS;
}
Status Pooling::SetDivisor(int divisor) {
  divisor_ = divisor;
  return Status::SUCCESS;
}

static PoolingProblem poolingProblem(Pooling::Mode mode, const Tensor& x, const Tensor& y) {
  using Mode = Pooling::Mode;
  PoolingProblem problem;
  problem.mode = mode == Mode::AVGPOOL_COUNT_PAD ? PoolingProblem::Mode::kAverageWithPad
                 : mode == Mode::AVGPOOL_COUNT_WITHOUT_PAD || mode == Mode::GLOBAL_AVGPOOL ||
                         mode == Mode::ADAPTIVE_AVGPOOL
                     ? PoolingProblem::Mode::kAverageWithoutPad
                     : PoolingProblem::Mode::kMax;
  problem.x = channelsSecond(x);
  problem.y = channelsSecond(y);
  if (mode == Mode::GLOBAL_AVGPOOL || mode == Mode::GLOBAL_MAXPOOL)
    for (int i = 2; i < problem.y.rank; ++i)
      musashim::mudnn::require(problem.y.sizes[static_cast<size_t>(i)] == 1,
                               "the output of all places has one");
  return problem;
}
#define MUDNN_POOLING(problem)                                         \
  if (mode_ <= Mode::AVGPOOL_COUNT_WITHOUT_PAD) {                      \
    musashim::mudnn::require(count_ > 0, "the pooling has no window"); \
    (problem).window.assign(window_, window_ + count_);                \
    (problem).pads.assign(pads_, pads_ + count_);                      \
    (problem).strides.assign(strides_, strides_ + count_);             \
    (problem).dilations.assign(dilations_, dilations_ + count_);       \
  }                                                                    \
  (problem).divisor = divisor_

Status Pooling::Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& indices) const {
  return run("Pooling::Run", handle, [&] {
    PoolingProblem problem = poolingProblem(mode_, in, out);
    MUDNN_POOLING(problem);
    return musashim::mudnn::poolingForward(problem, optionalChannels(indices), 1, 0);
  });
}
Status Pooling::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& indices) const {
  return run("Pooling::RunBwd", handle, [&] {
    PoolingProblem problem = poolingProblem(mode_, gradIn, gradOut);
    MUDNN_POOLING(problem);
    return musashim::mudnn::poolingBackward(problem, {optionalChannels(indices), Array(), Array()}, 1, 0);
  });
}

Status BatchNorm::SetMode(Mode mode) {
  if (mode != Mode::PER_CHANNEL && mode != Mode::PER_ACTIVATION) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status BatchNorm::SetEpsilon(double epsilon) {
  if (!(epsilon >= 0)) return Status::INVALID_PARAMETER;
  epsilon_ = epsilon;
  return Status::SUCCESS;
}
Status BatchNorm::SetTraining(bool training) {
  training_ = training;
  return Status::SUCCESS;
}
#define MUDNN_BATCH(arrays, outTensor, inTensor, scaleTensor) \
  BatchNormArrays arrays;                                     \
  (arrays).perActivation = mode_ == Mode::PER_ACTIVATION;     \
  (arrays).epsilon = epsilon_;                                \
  (arrays).out = channelsSecond(outTensor);                   \
  (arrays).in = channelsSecond(inTensor);                     \
  (arrays).scale = optional(scaleTensor)

Status BatchNorm::RunPure(Handle& handle, Tensor& out, const Tensor& in, const Tensor& mean,
                          const Tensor& variance, const Tensor& scale, const Tensor& bias) const {
  return run("BatchNorm::RunPure", handle, [&] {
    MUDNN_BATCH(arrays, out, in, scale);
    arrays.mean = optional(mean);
    arrays.variance = optional(variance);
    arrays.bias = optional(bias);
    return musashim::mudnn::batchNormInference(arrays);
  });
}
Status BatchNorm::RunComposite(Handle& handle, Tensor& out, const Tensor& in, Tensor& runningMean,
                               Tensor& runningVariance, Tensor& mean, Tensor& inverseDeviation,
                               const Tensor& scale, const Tensor& bias, double momentum,
                               const MemoryMaintainer&) const {
  return run("BatchNorm::RunComposite", handle, [&] {
    MUDNN_BATCH(arrays, out, in, scale);
    arrays.mean = optional(runningMean);
    arrays.variance = optional(runningVariance);
    arrays.savedMean = optional(mean);
    arrays.savedInverse = optional(inverseDeviation);
    arrays.bias = optional(bias);
    return musashim::mudnn::batchNormTraining(arrays, momentum);
  });
}
Status BatchNorm::RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradMean, Tensor& gradVariance,
                         Tensor& gradScale, Tensor& gradBias, const Tensor& in, const Tensor& gradOut,
                         const Tensor& mean, const Tensor& inverseDeviation, const Tensor& scale,
                         const MemoryMaintainer&) const {
  return run("BatchNorm::RunBwd", handle, [&] {
    MUDNN_BATCH(arrays, gradOut, in, scale);
    arrays.savedMean = optional(mean);
    arrays.savedInverse = optional(inverseDeviation);
    musashim::mudnn::BatchNormGradients gradients;
    gradients.in = optionalChannels(gradIn);
    gradients.mean = optional(gradMean);
    gradients.variance = optional(gradVariance);
    gradients.scale = optional(gradScale);
    gradients.bias = optional(gradBias);
    return musashim::mudnn::batchNormBackward(arrays, gradients, training_);
  });
}

Status LayerNorm::SetAxis(int count, const int* axes) { return setAxes(count_, axes_, count, axes); }
Status LayerNorm::SetEpsilon(double epsilon) {
  epsilon_ = epsilon;
  return Status::SUCCESS;
}
Status LayerNorm::SetVarMode(VarMode mode) {
  return mode == VarMode::DIRECT || mode == VarMode::WELFORD ? Status::SUCCESS : Status::INVALID_PARAMETER;
}
Status LayerNorm::Run(Handle& handle, Tensor& out, Tensor& mean, Tensor& inverseDeviation, const Tensor& in,
                      const Tensor& gamma, const Tensor& beta, const MemoryMaintainer&) const {
  return run("LayerNorm::Run", handle, [&] {
    return musashim::mudnn::rowNorm(
        {{axes_, axes_ + count_}, epsilon_, true},
        {given(out), optional(mean), optional(inverseDeviation), given(in), optional(gamma), optional(beta)});
  });
}
Status LayerNorm::RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradGamma, Tensor& gradBeta,
                         const Tensor& gradOut, const Tensor& in, const Tensor& mean,
                         const Tensor& inverseDeviation, const Tensor& gamma, const MemoryMaintainer&) const {
  return run("LayerNorm::RunBwd", handle, [&] {
    return musashim::mudnn::rowNormBackward(
        {{axes_, axes_ + count_}, epsilon_, true},
        {optional(gradIn), optional(gradGamma), optional(gradBeta)},
        {given(gradOut), optional(mean), optional(inverseDeviation), given(in), optional(gamma), Array()});
  });
}

Status RMSNorm::SetAxis(int count, const int* axes) { return setAxes(count_, axes_, count, axes); }
Status RMSNorm::SetEpsilon(double epsilon) {
  epsilon_ = epsilon;
  return Status::SUCCESS;
}
Status RMSNorm::Run(Handle& handle, Tensor& out, Tensor& inverseRms, const Tensor& in,
                    const Tensor& gamma) const {
  return run("RMSNorm::Run", handle, [&] {
    return musashim::mudnn::rowNorm(
        {{axes_, axes_ + count_}, epsilon_, false},
        {given(out), Array(), optional(inverseRms), given(in), optional(gamma), Array()});
  });
}
Status RMSNorm::RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradGamma, const Tensor& gradOut,
                       const Tensor& in, const Tensor& inverseRms, const Tensor& gamma,
                       const MemoryMaintainer&) const {
  return run("RMSNorm::RunBwd", handle, [&] {
    return musashim::mudnn::rowNormBackward(
        {{axes_, axes_ + count_}, epsilon_, false}, {optional(gradIn), optional(gradGamma), Array()},
        {given(gradOut), Array(), optional(inverseRms), given(in), optional(gamma), Array()});
  });
}

Status GroupNorm::SetAxis(int axis) {
  axis_ = axis;
  return Status::SUCCESS;
}
Status GroupNorm::SetGroup(int groups) {
  if (groups < 1) return Status::INVALID_PARAMETER;
  groups_ = groups;
  return Status::SUCCESS;
}
Status GroupNorm::SetEpsilon(double epsilon) {
  epsilon_ = epsilon;
  return Status::SUCCESS;
}
Status GroupNorm::Run(Handle& handle, Tensor& out, Tensor& mean, Tensor& inverseDeviation, const Tensor& in,
                      const Tensor& gamma, const Tensor& beta) const {
  return run("GroupNorm::Run", handle, [&] {
    return musashim::mudnn::groupNorm(
        axis_, groups_, epsilon_,
        {given(out), optional(mean), optional(inverseDeviation), given(in), optional(gamma), optional(beta)});
  });
}

}  // namespace musa::dnn
