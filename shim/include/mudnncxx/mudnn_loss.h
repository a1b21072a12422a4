/* muDNN's C++ interface: losses. Classes are the second dimension of the input, or the only one; sums are
 * made in double. */
#ifndef MUDNNCXX_MUDNN_LOSS_H_
#define MUDNNCXX_MUDNN_LOSS_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* -weight[target] * in[target]. A mean is over the weights of all targets, the total; targets that are the
 * ignored index count for nothing. */
class MUDNN_CXX_API NLLLoss {
 public:
  enum class Mode { NONE = 0, MEAN, SUM };

  Status SetReductionMode(Mode mode);
  Status SetIgnoreIndex(int64_t index); /* -100 at first */
  Status Run(Handle& handle, Tensor& out, Tensor& totalWeight, const Tensor& in, const Tensor& target,
             const Tensor& weight, const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& target,
                const Tensor& weight, const Tensor& totalWeight,
                const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::MEAN;
  int64_t ignored_ = -100;
};

/* target * (log(target) - in), 0 where the target is 0; of a target in logarithms exp(target) * (target -
 * in). */
class MUDNN_CXX_API KLDivLoss {
 public:
  enum class Mode { NONE = 0, MEAN, SUM };

  Status SetReductionMode(Mode mode);
  Status SetLogTarget(bool logarithms);
  Status Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& target,
             const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& in,
                const Tensor& target) const;

 private:
  Mode mode_ = Mode::MEAN;
  bool logarithms_ = false;
};

/* NLLLoss of the logarithm of softmax, with label smoothing: so much of each target's one goes to all classes
 * alike. */
class MUDNN_CXX_API CrossEntropyLoss {
 public:
  enum class ReductionMode { NONE = 0, MEAN, SUM };

  Status SetReductionMode(ReductionMode mode);
  Status SetIgnoreIndex(int64_t index); /* -100 at first */
  Status SetLabelSmoothing(double smoothing);
  Status Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& target, const Tensor& weight,
             const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& in, const Tensor& gradOut, const Tensor& target,
                const Tensor& weight, const MemoryMaintainer& maintainer = nullptr) const;

 private:
  ReductionMode mode_ = ReductionMode::MEAN;
  int64_t ignored_ = -100;
  double smoothing_ = 0;
};

/* Connectionist temporal classification. logProbabilities: by time, sequence and class; targets: by sequence
 * and place, or all behind each other; lengths: one for each sequence, of integers. out: for each sequence
 * minus the logarithm of its target's probability. logAlpha: by sequence, time and state, of which there are
 * twice the longest target and one; may be empty. */
class MUDNN_CXX_API CTCLoss {
 public:
  Status SetBlank(int blank);                 /* 0 at first */
  Status SetZeroInfinity(bool zero);          /* 0, also the gradient, where a target has no path */
  Status SetMaxTargetLength(int64_t longest); /* no target may be longer; 0: as logAlpha and targets say */
  Status Run(Handle& handle, Tensor& out, Tensor& logAlpha, const Tensor& logProbabilities,
             const Tensor& targets, const Tensor& inputLengths, const Tensor& targetLengths,
             const MemoryMaintainer& maintainer = nullptr) const;
  /* By the input of the softmax that logProbabilities are of, as PyTorch has it; not a number where a target
   * has no path. loss and logAlpha are not read. */
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& logProbabilities,
                const Tensor& targets, const Tensor& inputLengths, const Tensor& targetLengths,
                const Tensor& loss, const Tensor& logAlpha,
                const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int blank_ = 0;
  bool zeroInfinity_ = false;
  int64_t longest_ = 0;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_LOSS_H_ */
