/* muDNN's C++ interface: pooling, normalisation, dropout, gated units. Numbers of 16 bits are computed as
 * float. */
#ifndef MUDNNCXX_MUDNN_NN_H_
#define MUDNNCXX_MUDNN_NN_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* Of 1, 2 or 3 dimensions of places, by the tensors' formats. Windows are cut where the input ends. */
class MUDNN_CXX_API Pooling {
 public:
  enum class Mode {
    MAXPOOL = 0,
    AVGPOOL_COUNT_PAD,
    AVGPOOL_COUNT_WITHOUT_PAD,
    GLOBAL_MAXPOOL, /* the window is all places */
    GLOBAL_AVGPOOL,
    ADAPTIVE_MAXPOOL, /* windows by the sizes of input and output */
    ADAPTIVE_AVGPOOL
  };

  Status SetMode(Mode mode);
  Status SetNdInfo(std::initializer_list<int> window, std::initializer_list<int> pads,
                   std::initializer_list<int> strides, std::initializer_list<int> dilations);
  Status SetNdInfo(int count, const int* window, const int* pads, const int* strides, const int* dilations);
  Status SetDivisor(int divisor); /* of averages, instead of the count; 0: the count */
  /* indices: where the largest was, counted within the places of its channel. It may be empty. */
  Status Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& indices) const;
  /* Of maxima by their indices. */
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& indices) const;

 private:
  Mode mode_ = Mode::MAXPOOL;
  int count_ = 0;
  int window_[3] = {}, pads_[3] = {}, strides_[3] = {}, dilations_[3] = {};
  int divisor_ = 0;
};

class MUDNN_CXX_API BatchNorm {
 public:
  enum class Mode { PER_CHANNEL = 0, PER_ACTIVATION };

  Status SetMode(Mode mode);
  Status SetEpsilon(double epsilon);
  Status SetTraining(bool training); /* of RunBwd: whether mean and variance were the batch's */
  /* By the given mean and variance; scale and bias may be empty. */
  Status RunPure(Handle& handle, Tensor& out, const Tensor& in, const Tensor& mean, const Tensor& variance,
                 const Tensor& scale, const Tensor& bias) const;
  /* By the batch's own. running = (1 - momentum) * running + momentum * the batch's, its variance with one
   * less in the count; all four statistics may be empty. */
  Status RunComposite(Handle& handle, Tensor& out, const Tensor& in, Tensor& runningMean,
                      Tensor& runningVariance, Tensor& mean, Tensor& inverseDeviation, const Tensor& scale,
                      const Tensor& bias, double momentum,
                      const MemoryMaintainer& maintainer = nullptr) const;
  /* Any output may be empty. gradMean and gradVariance: where mean and variance were given
   * (SetTraining(false)); of the batch's own they are zero, as they have become part of gradIn. */
  Status RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradMean, Tensor& gradVariance, Tensor& gradScale,
                Tensor& gradBias, const Tensor& in, const Tensor& gradOut, const Tensor& mean,
                const Tensor& inverseDeviation, const Tensor& scale,
                const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::PER_CHANNEL;
  double epsilon_ = 1e-5;
  bool training_ = true;
};

/* Over the given dimensions; gamma and beta have their sizes and may be empty, as may what is saved. */
class MUDNN_CXX_API LayerNorm {
 public:
  enum class VarMode { DIRECT = 0, WELFORD }; /* both are accurate */

  Status SetAxis(int count, const int* axes);
  Status SetEpsilon(double epsilon);
  Status SetVarMode(VarMode mode);
  Status Run(Handle& handle, Tensor& out, Tensor& mean, Tensor& inverseDeviation, const Tensor& in,
             const Tensor& gamma, const Tensor& beta, const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradGamma, Tensor& gradBeta, const Tensor& gradOut,
                const Tensor& in, const Tensor& mean, const Tensor& inverseDeviation, const Tensor& gamma,
                const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int count_ = 0;
  int axes_[8] = {};
  double epsilon_ = 1e-5;
};

class MUDNN_CXX_API RMSNorm {
 public:
  Status SetAxis(int count, const int* axes);
  Status SetEpsilon(double epsilon);
  Status Run(Handle& handle, Tensor& out, Tensor& inverseRms, const Tensor& in, const Tensor& gamma) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, Tensor& gradGamma, const Tensor& gradOut, const Tensor& in,
                const Tensor& inverseRms, const Tensor& gamma,
                const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int count_ = 0;
  int axes_[8] = {};
  double epsilon_ = 1e-5;
};

/* Channels are the dimension `axis`, the first is the batch; gamma and beta have one number for each channel.
 */
class MUDNN_CXX_API GroupNorm {
 public:
  Status SetAxis(int axis);
  Status SetGroup(int groups);
  Status SetEpsilon(double epsilon);
  Status Run(Handle& handle, Tensor& out, Tensor& mean, Tensor& inverseDeviation, const Tensor& in,
             const Tensor& gamma, const Tensor& beta) const;

 private:
  int axis_ = 1, groups_ = 1;
  double epsilon_ = 1e-5;
};

/* The mask is one where an element stays. Numbers are Philox's by seed and offset: elements 4i to 4i + 3 have
 * the counter offset / 4 + i. Seed and offset may be in device memory, read when the work runs; `more` is
 * added to the offset. */
class MUDNN_CXX_API Dropout {
 public:
  Status SetP(double probability); /* of becoming zero */
  Status SetScale(double scale);   /* of RunDropoutBwd */
  Status SetSeed(uint64_t seed);
  Status SetSeed(const uint64_t* seed);
  Status SetOffset(uint64_t offset);
  Status SetOffset(const uint64_t* offset, uint64_t more);
  Status RunDropout(Handle& handle, Tensor& out, const Tensor& in, Tensor& mask) const;
  Status RunDropoutBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& mask) const;

 private:
  double probability_ = 0.5, scale_ = 1;
  uint64_t seed_ = 0, offset_ = 0;
  const uint64_t *seedAt_ = nullptr, *offsetAt_ = nullptr;
};

/* out = a * sigmoid(b), where a and b are the input's halves along `axis`. */
class MUDNN_CXX_API Glu {
 public:
  Status SetAxis(int axis);
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;

 private:
  int axis_ = -1;
};

/* out = silu(a) * b, where a and b are the halves along the last dimension. */
class MUDNN_CXX_API SwiGlu {
 public:
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& in, const Tensor& gradOut) const;
};

/* Images made larger or smaller, of 1 to 3 dimensions of places by the tensors' formats. */
class MUDNN_CXX_API Interpolate {
 public:
  enum class Mode {
    NEAREST = 0,   /* the element at floor(place * scale) */
    NEAREST_EXACT, /* the one nearest to the place's middle */
    LINEAR,        /* of each dimension */
    BICUBIC        /* by Keys, of 2 dimensions; -0.75, and -0.5 with SetAntialias() */
  };

  Status SetMode(Mode mode);
  /* For each dimension of places. Run(): input's places for each of the output; RunBackward(): the other way
   * round. None: by the tensors' sizes. */
  Status SetScaleInfo(std::initializer_list<float> scales);
  Status SetScaleInfo(int count, const float* scales);
  Status SetAlignCorners(
      bool align); /* LINEAR and BICUBIC: the corners' middles are the same; no scale then */
  Status SetAntialias(bool antialias); /* LINEAR and BICUBIC: windows grow with the scale */
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;
  Status RunBackward(Handle& handle, Tensor& gradIn, const Tensor& gradOut) const;

 private:
  Mode mode_ = Mode::NEAREST;
  int count_ = 0;
  float scales_[3] = {};
  bool align_ = false, antialias_ = false;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_NN_H_ */
