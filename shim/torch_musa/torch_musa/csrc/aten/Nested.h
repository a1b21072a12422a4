// Nested tensors of the strided layout: tensors of several sizes in one piece of memory; the sizes are the
// CPU's.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::musa {

/// A tensor over `storage` with the parts of `tensor`, for the kernels of NestedTensorCPU or
/// NestedTensorPrivateUse1.
Tensor nestedLike(const Tensor& tensor, c10::Storage storage, c10::DispatchKey key);

}  // namespace at::musa
