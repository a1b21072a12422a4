// musa::dnn::NLLLoss, KLDivLoss, CrossEntropyLoss and CTCLoss.
#include "libs/mudnn/operations/losses.h"

#include <mudnncxx/mudnn_loss.h>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/sequences/ctc.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::Array;
using musashim::mudnn::ClassLoss;
using musashim::mudnn::given;
using musashim::mudnn::LossReduction;
using musashim::mudnn::optional;
using musashim::mudnn::run;

// All modes are numbered alike.
template <class Mode>
LossReduction reductionOf(Mode mode) {
  return static_cast<LossReduction>(mode);
}
template <class Mode>
Status setMode(Mode& mode, Mode value) {
  if (value < Mode::NONE || value > Mode::SUM) return Status::INVALID_PARAMETER;
  mode = value;
  return Status::SUCCESS;
}

}  // namespace

Status NLLLoss::SetReductionMode(Mode mode) { return setMode(mode_, mode); }
Status NLLLoss::SetIgnoreIndex(int64_t index) {
  ignored_ = index;
  return Status::SUCCESS;
}
Status NLLLoss::Run(Handle& handle, Tensor& out, Tensor& totalWeight, const Tensor& in, const Tensor& target,
                    const Tensor& weight, const MemoryMaintainer&) const {
  return run("NLLLoss::Run", handle, [&] {
    return musashim::mudnn::classLoss({reductionOf(mode_), ignored_}, given(out), optional(totalWeight),
                                      given(in), given(target), optional(weight));
  });
}
Status NLLLoss::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& target,
                       const Tensor& weight, const Tensor& totalWeight, const MemoryMaintainer&) const {
  return run("NLLLoss::RunBwd", handle, [&] {
    return musashim::mudnn::classLossBackward({reductionOf(mode_), ignored_}, given(gradIn), given(gradOut),
                                              Array(), given(target), optional(weight),
                                              optional(totalWeight));
  });
}

Status KLDivLoss::SetReductionMode(Mode mode) { return setMode(mode_, mode); }
Status KLDivLoss::SetLogTarget(bool logarithms) {
  logarithms_ = logarithms;
  return Status::SUCCESS;
}
Status KLDivLoss::Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& target,
                      const MemoryMaintainer&) const {
  return run("KLDivLoss::Run", handle, [&] {
    return musashim::mudnn::divergence(reductionOf(mode_), logarithms_, given(out), given(in), given(target));
  });
}
Status KLDivLoss::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& in,
                         const Tensor& target) const {
  return run("KLDivLoss::RunBwd", handle, [&] {
    return musashim::mudnn::divergenceBackward(reductionOf(mode_), logarithms_, given(gradIn), given(gradOut),
                                               given(in), given(target));
  });
}

Status CrossEntropyLoss::SetReductionMode(ReductionMode mode) { return setMode(mode_, mode); }
Status CrossEntropyLoss::SetIgnoreIndex(int64_t index) {
  ignored_ = index;
  return Status::SUCCESS;
}
Status CrossEntropyLoss::SetLabelSmoothing(double smoothing) {
  if (!(smoothing >= 0 && smoothing <= 1)) return Status::INVALID_PARAMETER;
  smoothing_ = smoothing;
  return Status::SUCCESS;
}
Status CrossEntropyLoss::Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& target,
                             const Tensor& weight, const MemoryMaintainer&) const {
  return run("CrossEntropyLoss::Run", handle, [&] {
    return musashim::mudnn::classLoss({reductionOf(mode_), ignored_, true, smoothing_}, given(out), Array(),
                                      given(in), given(target), optional(weight));
  });
}
Status CrossEntropyLoss::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& in, const Tensor& gradOut,
                                const Tensor& target, const Tensor& weight, const MemoryMaintainer&) const {
  return run("CrossEntropyLoss::RunBwd", handle, [&] {
    return musashim::mudnn::classLossBackward({reductionOf(mode_), ignored_, true, smoothing_}, given(gradIn),
                                              given(gradOut), given(in), given(target), optional(weight),
                                              Array());
  });
}

Status CTCLoss::SetBlank(int blank) {
  if (blank < 0) return Status::INVALID_PARAMETER;
  blank_ = blank;
  return Status::SUCCESS;
}
Status CTCLoss::SetZeroInfinity(bool zero) {
  zeroInfinity_ = zero;
  return Status::SUCCESS;
}
Status CTCLoss::SetMaxTargetLength(int64_t longest) {
  if (longest < 0) return Status::INVALID_PARAMETER;
  longest_ = longest;
  return Status::SUCCESS;
}
Status CTCLoss::Run(Handle& handle, Tensor& out, Tensor& logAlpha, const Tensor& logProbabilities,
                    const Tensor& targets, const Tensor& inputLengths, const Tensor& targetLengths,
                    const MemoryMaintainer&) const {
  return run("CTCLoss::Run", handle, [&] {
    return musashim::mudnn::ctcForward({given(logProbabilities), given(targets), given(inputLengths),
                                        given(targetLengths), blank_, longest_, zeroInfinity_},
                                       given(out), optional(logAlpha));
  });
}
Status CTCLoss::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& logProbabilities,
                       const Tensor& targets, const Tensor& inputLengths, const Tensor& targetLengths,
                       const Tensor& /*loss*/, const Tensor& /*logAlpha*/, const MemoryMaintainer&) const {
  return run("CTCLoss::RunBwd", handle, [&] {
    return musashim::mudnn::ctcBackward({given(logProbabilities), given(targets), given(inputLengths),
                                         given(targetLengths), blank_, longest_, zeroInfinity_},
                                        given(gradIn), given(gradOut));
  });
}

}  // namespace musa::dnn
