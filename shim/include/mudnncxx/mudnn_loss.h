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

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_LOSS_H_ */
