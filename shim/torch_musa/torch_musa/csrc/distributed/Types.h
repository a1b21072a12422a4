// PyTorch's types and operations as MCCL's.
#pragma once

#include <mccl.h>

#include <torch/csrc/distributed/c10d/Types.hpp>

namespace torch_musa {

// Of elements that are moved, and of those that are calculated with.
mcclDataType_t typeOf(const at::Tensor& tensor);
// An operation of its own for PREMUL_SUM, which lives as long as the object.
class Reduction {
 public:
  Reduction(const c10d::ReduceOp& op, const at::Tensor& tensor, mcclComm_t comm);
  ~Reduction();
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;
  operator mcclRedOp_t() const { return op_; }

 private:
  mcclRedOp_t op_ = mcclSum;
  mcclComm_t owner_ = nullptr;
};
// Numbers for MCCL: a complex one counts as two.
size_t countOf(const at::Tensor& tensor);

}  // namespace torch_musa
