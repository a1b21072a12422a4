/* muDNN's C++ interface: convolutions and products. mudnn_base.h says what all operations share. */
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
  using ComputeMode = detail::ComputeMode;
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

/* What RunLt() does besides. Scales are factors in device memory: of a and out one number or one for each
 * row, of b one or one for each column, of c one; they are left out where they are empty. */
class MUDNN_CXX_API MatMulLtParam {
 public:
  enum class MatMulLtEpilogueMode {
    MATMULLT_EPILOGUE_DEFAULT = 0,
    MATMULLT_EPILOGUE_RELU,
    MATMULLT_EPILOGUE_BIAS, /* DEFAULT: a bias is added where there is one */
    MATMULLT_EPILOGUE_RELU_BIAS,
    MATMULLT_EPILOGUE_GELU,
    MATMULLT_EPILOGUE_GELU_BIAS
  };
  Status SetEpilogue(MatMulLtEpilogueMode mode);
  Status SetScale(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& out);
  Status SetAmaxD(
      const Tensor& amax); /* the largest magnitude before out's scale; none where it has no elements */

 private:
  friend struct Internals;
  MatMulLtEpilogueMode mode_ = MatMulLtEpilogueMode::MATMULLT_EPILOGUE_DEFAULT;
  Tensor a_, b_, c_, out_, amax_;
};

/* out = alpha * op(l) op(r) + beta * c + gamma * bias; where there is no c, it is out. bias has one number
 * for each column, or broadcasts to out. Vectors may be given for matrices of one row or column. */
class MUDNN_CXX_API MatMul {
 public:
  using ComputeMode = detail::ComputeMode;

  Status SetComputeMode(ComputeMode mode);
  Status SetTranspose(bool left, bool right);
  Status SetAlpha(double alpha);               /* 1 at first */
  Status SetBeta(double beta);                 /* 0 at first */
  Status SetGamma(double gamma);               /* 1 at first */
  Status SetDeterministic(bool deterministic); /* all are */
  Status Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r,
             const MemoryMaintainer& maintainer = nullptr) const;
  Status RunWithBiasAdd(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r, const Tensor& bias,
                        const MemoryMaintainer& maintainer = nullptr) const;
  Status RunWithBiasAdd(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r, const Tensor& c,
                        const Tensor& bias, const MemoryMaintainer& maintainer = nullptr) const;
  Status RunLt(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r, const Tensor& c,
               const Tensor& bias, const MatMulLtParam& param,
               const MemoryMaintainer& maintainer = nullptr) const;

 protected:
  bool left_ = false, right_ = false;
  double alpha_ = 1, beta_ = 0, gamma_ = 1;
};

/* The same for batches, which broadcast. */
class MUDNN_CXX_API BatchMatMul : public MatMul {};

/* The sum of products of two vectors. */
class MUDNN_CXX_API Dot {
 public:
  using ComputeMode = MatMul::ComputeMode;

  Status SetComputeMode(ComputeMode mode);
  Status Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r,
             const MemoryMaintainer& maintainer = nullptr) const;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_XMMA_H_ */
