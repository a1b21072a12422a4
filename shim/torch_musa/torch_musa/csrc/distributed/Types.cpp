#include "torch_musa/csrc/distributed/Types.h"

#include <c10/util/Exception.h>

namespace torch_musa {

mcclDataType_t typeOf(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
    case at::kComplexFloat:
      return mcclFloat32;
    case at::kDouble:
    case at::kComplexDouble:
      return mcclFloat64;
    case at::kHalf:
      return mcclFloat16;
    case at::kBFloat16:
      return mcclBfloat16;
    case at::kChar:
      return mcclInt8;
    case at::kByte:
    case at::kBool:
      return mcclUint8;
    case at::kInt:
      return mcclInt32;
    case at::kLong:
      return mcclInt64;
    default:
      TORCH_CHECK_WITH(TypeError, false, "Input tensor data type is not supported for MCCL process group: ",
                       tensor.scalar_type());
  }
}

size_t countOf(const at::Tensor& tensor) {
  return static_cast<size_t>(tensor.numel()) * (tensor.is_complex() ? 2 : 1);
}

Reduction::Reduction(const c10d::ReduceOp& op, const at::Tensor& tensor, mcclComm_t comm) {
  const bool boolean = tensor.scalar_type() == at::kBool;
  switch (op.op_) {
    case c10d::ReduceOp::SUM:
      op_ = boolean ? mcclMax : mcclSum;
      break;  // "or"
    case c10d::ReduceOp::PRODUCT:
      op_ = boolean ? mcclMin : mcclProd;
      break;
    case c10d::ReduceOp::MIN:
      op_ = mcclMin;
      break;
    case c10d::ReduceOp::MAX:
      op_ = mcclMax;
      break;
    case c10d::ReduceOp::AVG:
      TORCH_CHECK_WITH(TypeError, !boolean, "Cannot use ReduceOp.AVG with boolean inputs");
      op_ = mcclAvg;
      break;
    case c10d::ReduceOp::PREMUL_SUM: {
      // Its older name, which newer PyTorch keeps.
      const auto* const supplement = static_cast<c10d::NCCLPreMulSumSupplement*>(op.supplement_.get());
      const double factor = supplement->double_factor;
      TORCH_CHECK(!supplement->tensor_factor.defined(),
                  "PREMUL_SUM with a tensor is not there for mccl; give a number");
      const mcclDataType_t type = typeOf(tensor);
      float single = static_cast<float>(factor);
      double wide = factor;
      at::Half half = static_cast<float>(factor);
      at::BFloat16 brain = static_cast<float>(factor);
      void* const scalar = type == mcclFloat32   ? static_cast<void*>(&single)
                           : type == mcclFloat64 ? static_cast<void*>(&wide)
                           : type == mcclFloat16 ? static_cast<void*>(&half)
                                                 : static_cast<void*>(&brain);
      TORCH_CHECK_WITH(TypeError, at::isFloatingType(tensor.scalar_type()),
                       "PREMUL_SUM supports floating-point numbers only");
      TORCH_CHECK(mcclRedOpCreatePreMulSum(&op_, scalar, type, mcclScalarHostImmediate, comm) == mcclSuccess,
                  "mcclRedOpCreatePreMulSum failed");
      owner_ = comm;
      break;
    }
    default:
      TORCH_CHECK_WITH(ValueError, false, "Cannot use ReduceOp.",
                       op.op_ == c10d::ReduceOp::BAND  ? "BAND"
                       : op.op_ == c10d::ReduceOp::BOR ? "BOR"
                                                       : "BXOR",
                       " with MCCL");
  }
}

Reduction::~Reduction() {
  if (owner_ != nullptr) (void)mcclRedOpDestroy(op_, owner_);
}

}  // namespace torch_musa
