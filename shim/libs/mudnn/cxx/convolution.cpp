// musa::dnn::Convolution.
#include "libs/mudnn/operations/convolution.h"

#include <mudnncxx/mudnn_xmma.h>

#include <algorithm>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/cxx/formats.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::Activation;
using musashim::mudnn::Array;
using musashim::mudnn::channelsSecond;
using musashim::mudnn::ConvolutionProblem;
using musashim::mudnn::ConvolutionTail;
using Fused = Convolution::FusedActivationDesc;

Activation activationOf(Fused::Mode mode) {
  switch (mode) {
    case Fused::Mode::RELU:
      return Activation::kRelu;
    case Fused::Mode::SILU:
      return Activation::kSilu;
    case Fused::Mode::SIGMOID:
      return Activation::kSigmoid;
    case Fused::Mode::TANH:
      return Activation::kTanh;
    case Fused::Mode::LEAKY_RELU:
      return Activation::kLeakyRelu;
    case Fused::Mode::GELU:
      return Activation::kGelu;
    default:
      return Activation::kIdentity;
  }
}

ConvolutionProblem problemOf(const int* pads, const int* strides, const int* dilations, int count, int groups,
                             const Tensor& x, const Tensor& w, const Tensor& y) {
  ConvolutionProblem problem{
      channelsSecond(x), channelsSecond(w), channelsSecond(y), groups, false, {}, {}, {}};
  problem.pads.assign(pads, pads + count);
  problem.strides.assign(strides, strides + count);
  problem.dilations.assign(dilations, dilations + count);
  return problem;
}

}  // namespace

Status Fused::SetMode(Mode mode) {
  if (mode < Mode::IDENTITY || mode > Mode::GELU) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}

Status Fused::SetAlpha(double alpha) {
  alpha_ = alpha;
  return Status::SUCCESS;
}

Status Convolution::SetNdInfo(std::initializer_list<int> pads, std::initializer_list<int> strides,
                              std::initializer_list<int> dilations) {
  if (pads.size() != strides.size() || pads.size() != dilations.size()) return Status::INVALID_PARAMETER;
  return SetNdInfo(static_cast<int>(pads.size()), pads.begin(), strides.begin(), dilations.begin());
}

Status Convolution::SetNdInfo(int count, const int* pads, const int* strides, const int* dilations) {
  if (count < 1 || count > 3 || !pads || !strides || !dilations) return Status::INVALID_PARAMETER;
  for (int i = 0; i < count; ++i)
    if (pads[i] < 0 || strides[i] < 1 || dilations[i] < 1) return Status::INVALID_PARAMETER;
  count_ = count;
  std::copy_n(pads, count, pads_);
  std::copy_n(strides, count, strides_);
  std::copy_n(dilations, count, dilations_);
  return Status::SUCCESS;
}

Status Convolution::SetGroups(int groups) {
  if (groups < 1) return Status::INVALID_PARAMETER;
  groups_ = groups;
  return Status::SUCCESS;
}

Status Convolution::SetComputeMode(ComputeMode mode) {
  return mode < ComputeMode::SCALAR || mode > ComputeMode::ALL ? Status::INVALID_PARAMETER : Status::SUCCESS;
}

#define MUDNN_PROBLEM(x, w, y) problemOf(pads_, strides_, dilations_, count_, groups_, x, w, y)

Status Convolution::GetRecommendForwardAlgorithm(Handle&, Algorithm& algorithm, const Tensor& y,
                                                 const Tensor& x, const Tensor& w) const {
  return musashim::mudnn::cxxCall("Convolution::GetRecommendForwardAlgorithm", [&] {
    (void)convolutionForward(MUDNN_PROBLEM(x, w, y), {});
    algorithm = Algorithm::IMPLICIT_GEMM;
    return Status::SUCCESS;
  });
}

Status Convolution::GetRecommendBackwardDataAlgorithm(Handle&, AlgorithmBwdData& algorithm, const Tensor& dx,
                                                      const Tensor& dy, const Tensor& w) const {
  return musashim::mudnn::cxxCall("Convolution::GetRecommendBackwardDataAlgorithm", [&] {
    (void)convolutionBackwardData(MUDNN_PROBLEM(dx, w, dy), 1, 0);
    algorithm = AlgorithmBwdData::IMPLICIT_GEMM;
    return Status::SUCCESS;
  });
}

Status Convolution::GetRecommendBackwardFilterAlgorithm(Handle&, AlgorithmBwdFilter& algorithm,
                                                        const Tensor& dw, const Tensor& x,
                                                        const Tensor& dy) const {
  return musashim::mudnn::cxxCall("Convolution::GetRecommendBackwardFilterAlgorithm", [&] {
    (void)convolutionBackwardFilter(MUDNN_PROBLEM(x, dw, dy), 1, 0);
    algorithm = AlgorithmBwdFilter::IMPLICIT_GEMM;
    return Status::SUCCESS;
  });
}

Status Convolution::GetForwardWorkspaceSize(Handle&, size_t& size, const Tensor& y, const Tensor& x,
                                            const Tensor& w, Algorithm) const {
  return musashim::mudnn::cxxCall("Convolution::GetForwardWorkspaceSize", [&] {
    (void)convolutionForward(MUDNN_PROBLEM(x, w, y), {});
    size = 0;
    return Status::SUCCESS;
  });
}

Status Convolution::GetBackwardDataWorkspaceSize(Handle&, size_t& size, const Tensor& dx, const Tensor& dy,
                                                 const Tensor& w, AlgorithmBwdData) const {
  return musashim::mudnn::cxxCall("Convolution::GetBackwardDataWorkspaceSize", [&] {
    (void)convolutionBackwardData(MUDNN_PROBLEM(dx, w, dy), 1, 0);
    size = 0;
    return Status::SUCCESS;
  });
}

Status Convolution::GetBackwardFilterWorkspaceSize(Handle&, size_t& size, const Tensor& dw, const Tensor& x,
                                                   const Tensor& dy, AlgorithmBwdFilter) const {
  return musashim::mudnn::cxxCall("Convolution::GetBackwardFilterWorkspaceSize", [&] {
    (void)convolutionBackwardFilter(MUDNN_PROBLEM(x, dw, dy), 1, 0);
    size = 0;
    return Status::SUCCESS;
  });
}

Status Convolution::Run(Handle& handle, Tensor& y, const Tensor& x, const Tensor& w, Algorithm,
                        const MemoryMaintainer&) const {
  return musashim::mudnn::run("Convolution::Run", handle,
                              [&] { return convolutionForward(MUDNN_PROBLEM(x, w, y), {}); });
}

Status Convolution::RunFusion(Handle& handle, Tensor& y, const Tensor& x, const Tensor& w, const Tensor& bias,
                              const Tensor& add, const FusedActivationDesc& activation, Algorithm,
                              const MemoryMaintainer&) const {
  return musashim::mudnn::run("Convolution::RunFusion", handle, [&] {
    ConvolutionTail tail;
    if (!Internals::isEmpty(bias)) tail.bias = Internals::arrayOf(bias);
    if (!Internals::isEmpty(add)) {
      tail.add = channelsSecond(add);
      tail.beta = 1;
    }
    tail.activation = activationOf(activation.GetMode());
    tail.coefficient = activation.GetAlpha();
    return convolutionForward(MUDNN_PROBLEM(x, w, y), tail);
  });
}

Status Convolution::RunBwdData(Handle& handle, Tensor& dx, const Tensor& dy, const Tensor& w,
                               AlgorithmBwdData, const MemoryMaintainer&) const {
  return musashim::mudnn::run("Convolution::RunBwdData", handle,
                              [&] { return convolutionBackwardData(MUDNN_PROBLEM(dx, w, dy), 1, 0); });
}

Status Convolution::RunBwdFilter(Handle& handle, Tensor& dw, const Tensor& x, const Tensor& dy,
                                 AlgorithmBwdFilter, const MemoryMaintainer&) const {
  return musashim::mudnn::run("Convolution::RunBwdFilter", handle,
                              [&] { return convolutionBackwardFilter(MUDNN_PROBLEM(x, dw, dy), 1, 0); });
}

}  // namespace musa::dnn
