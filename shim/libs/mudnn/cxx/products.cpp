// musa::dnn::MatMul, BatchMatMul, Dot and MatMulLtParam.
#include <mudnncxx/mudnn_xmma.h>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/operations/product.h"

namespace musa::dnn {

using musashim::mudnn::Activation;
using musashim::mudnn::Array;
using musashim::mudnn::given;
using musashim::mudnn::Product;
using musashim::mudnn::run;
using Epilogue = MatMulLtParam::MatMulLtEpilogueMode;

static Array optional(const Tensor& tensor) {
  const Array array = Internals::arrayOf(tensor);
  return array.count() == 0 ? Array() : array;
}

Status MatMulLtParam::SetEpilogue(MatMulLtEpilogueMode mode) {
  if (mode < Epilogue::MATMULLT_EPILOGUE_DEFAULT || mode > Epilogue::MATMULLT_EPILOGUE_GELU_BIAS)
    return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status MatMulLtParam::SetScale(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& out) {
  a_ = a;
  b_ = b;
  c_ = c;
  out_ = out;
  return Status::SUCCESS;
}
Status MatMulLtParam::SetAmaxD(const Tensor& amax) {
  amax_ = amax;
  return Status::SUCCESS;
}

Status MatMul::SetComputeMode(ComputeMode mode) {
  return mode < ComputeMode::SCALAR || mode > ComputeMode::ALL ? Status::INVALID_PARAMETER : Status::SUCCESS;
}
Status MatMul::SetTranspose(bool left, bool right) {
  left_ = left;
  right_ = right;
  return Status::SUCCESS;
}
Status MatMul::SetAlpha(double alpha) {
  alpha_ = alpha;
  return Status::SUCCESS;
}
Status MatMul::SetBeta(double beta) {
  beta_ = beta;
  return Status::SUCCESS;
}
Status MatMul::SetGamma(double gamma) {
  gamma_ = gamma;
  return Status::SUCCESS;
}
Status MatMul::SetDeterministic(bool /*deterministic*/) { return Status::SUCCESS; }

#define MUDNN_PRODUCT(p) \
  Product p;             \
  (p).out = given(out);  \
  (p).a = given(l);      \
  (p).b = given(r);      \
  (p).turnsA = left_;    \
  (p).turnsB = right_;   \
  (p).alpha = alpha_;    \
  (p).beta = beta_;      \
  (p).gamma = gamma_

Status MatMul::Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r,
                   const MemoryMaintainer&) const {
  return run("MatMul::Run", handle, [&] {
    MUDNN_PRODUCT(p);
    p.c = p.out;
    return musashim::mudnn::product(p);
  });
}
Status MatMul::RunWithBiasAdd(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r,
                              const Tensor& bias, const MemoryMaintainer&) const {
  return run("MatMul::RunWithBiasAdd", handle, [&] {
    MUDNN_PRODUCT(p);
    p.c = p.out;
    p.bias = optional(bias);
    return musashim::mudnn::product(p);
  });
}
Status MatMul::RunWithBiasAdd(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r, const Tensor& c,
                              const Tensor& bias, const MemoryMaintainer&) const {
  return run("MatMul::RunWithBiasAdd", handle, [&] {
    MUDNN_PRODUCT(p);
    p.c = optional(c);
    p.bias = Internals::isEmpty(bias) ? Array() : optional(bias);
    return musashim::mudnn::product(p);
  });
}
Status MatMul::RunLt(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r, const Tensor& c,
                     const Tensor& bias, const MatMulLtParam& param, const MemoryMaintainer&) const {
  return run("MatMul::RunLt", handle, [&] {
    MUDNN_PRODUCT(p);
    p.c = Internals::isEmpty(c) ? Array() : optional(c);
    p.bias = Internals::isEmpty(bias) ? Array() : optional(bias);
    Internals::apply(param, p);
    return musashim::mudnn::product(p);
  });
}

void Internals::apply(const MatMulLtParam& param, Product& p) {
  const auto there = [](const Tensor& tensor) { return isEmpty(tensor) ? Array() : optional(tensor); };
  p.scaleA = there(param.a_);
  p.scaleB = there(param.b_);
  p.scaleC = there(param.c_);
  p.scaleOut = there(param.out_);
  p.amax = there(param.amax_);
  if (param.mode_ == Epilogue::MATMULLT_EPILOGUE_RELU || param.mode_ == Epilogue::MATMULLT_EPILOGUE_RELU_BIAS)
    p.activation = Activation::kRelu;
  if (param.mode_ == Epilogue::MATMULLT_EPILOGUE_GELU || param.mode_ == Epilogue::MATMULLT_EPILOGUE_GELU_BIAS)
    p.activation = Activation::kGelu;
}

Status Dot::SetComputeMode(ComputeMode mode) {
  return mode < ComputeMode::SCALAR || mode > ComputeMode::ALL ? Status::INVALID_PARAMETER : Status::SUCCESS;
}
Status Dot::Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r,
                const MemoryMaintainer&) const {
  return run("Dot::Run", handle, [&] {
    Product p;
    p.a = given(l);
    p.b = given(r);
    musashim::mudnn::require(p.a.rank == 1 && p.b.rank == 1 && p.a.sizes[0] == p.b.sizes[0],
                             "the product is of two vectors of one length");
    const Array to = given(out);
    musashim::mudnn::require(to.count() == 1, "the result is one number");
    const int64_t one[] = {1, 1};
    p.out = musashim::mudnn::contiguousArray(to.element, to.data, 2, one);
    return musashim::mudnn::product(p);
  });
}

}  // namespace musa::dnn
