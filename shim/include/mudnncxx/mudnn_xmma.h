/* muDNN's C++ interface: convolutions. mudnn_base.h says what all operations share. */
#ifndef MUDNNCXX_MUDNN_XMMA_H_
#define MUDNNCXX_MUDNN_XMMA_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* Of 1, 2 or 3 dimensions of places. Tensors of any format and stride; a filter's N are the output's
 * channels, its C the input's channels of a group. Floats of 16 bits are computed as float. Quantised tensors
 * are real numbers times scales. */
class MUDNN_CXX_API Convolution {
 public:
  enum class ComputeMode { SCALAR = 0, TENSOR = 1, ALL = 2 }; /* results are the same */
  /* All are the same: the library chooses. */
  enum class Algorithm { IMPLICIT_GEMM = 0, GEMM, DIRECT, WINOGRAD, FFT };
  enum class AlgorithmBwdData { IMPLICIT_GEMM = 0, GEMM, DIRECT, WINOGRAD, FFT };
  enum class AlgorithmBwdFilter { IMPLICIT_GEMM = 0, GEMM, DIRECT, WINOGRAD, FFT };

  class MUDNN_CXX_API FusedActivationDesc {
   public:
    enum class Mode { IDENTITY = 0, RELU, SILU, SIGMOID, TANH, LEAKY_RELU, GELU };
    Status SetMode(Mode mode);
    Status SetAlpha(double alpha); /* of LEAKY_RELU, 0.01 at first */
    Mode GetMode() const { return mode_; }
    double GetAlpha() const { return alpha_; }

   private:
    Mode mode_ = Mode::IDENTITY;
    double alpha_ = 0.01;
  };

  /* Padding, strides, dilations: one for each dimension of places. */
  Status SetNdInfo(std::initializer_list<int> pads, std::initializer_list<int> strides,
                   std::initializer_list<int> dilations);
  Status SetNdInfo(int count, const int* pads, const int* strides, const int* dilations);
  Status SetGroups(int groups);
  Status SetComputeMode(ComputeMode mode);

  Status GetRecommendForwardAlgorithm(Handle& handle, Algorithm& algorithm, const Tensor& y, const Tensor& x,
                                      const Tensor& w) const;
  Status GetRecommendBackwardDataAlgorithm(Handle& handle, AlgorithmBwdData& algorithm, const Tensor& dx,
                                           const Tensor& dy, const Tensor& w) const;
  Status GetRecommendBackwardFilterAlgorithm(Handle& handle, AlgorithmBwdFilter& algorithm, const Tensor& dw,
                                             const Tensor& x, const Tensor& dy) const;
  Status GetForwardWorkspaceSize(Handle& handle, size_t& size, const Tensor& y, const Tensor& x,
                                 const Tensor& w, Algorithm algorithm) const;
  Status GetBackwardDataWorkspaceSize(Handle& handle, size_t& size, const Tensor& dx, const Tensor& dy,
                                      const Tensor& w, AlgorithmBwdData algorithm) const;
  Status GetBackwardFilterWorkspaceSize(Handle& handle, size_t& size, const Tensor& dw, const Tensor& x,
                                        const Tensor& dy, AlgorithmBwdFilter algorithm) const;

  Status Run(Handle& handle, Tensor& y, const Tensor& x, const Tensor& w, Algorithm algorithm,
             const MemoryMaintainer& maintainer = nullptr) const;
  /* y = activation(convolution + bias + add); bias and add may be empty tensors. */
  Status RunFusion(Handle& handle, Tensor& y, const Tensor& x, const Tensor& w, const Tensor& bias,
                   const Tensor& add, const FusedActivationDesc& activation, Algorithm algorithm,
                   const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwdData(Handle& handle, Tensor& dx, const Tensor& dy, const Tensor& w, AlgorithmBwdData algorithm,
                    const MemoryMaintainer& maintainer = nullptr) const;
  Status RunBwdFilter(Handle& handle, Tensor& dw, const Tensor& x, const Tensor& dy,
                      AlgorithmBwdFilter algorithm, const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int count_ = 0;
  int pads_[3] = {}, strides_[3] = {}, dilations_[3] = {};
  int groups_ = 1;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_XMMA_H_ */
