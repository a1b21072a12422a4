// Quantized tensors: whole numbers, and how they stand for others (a Quantizer, which is the CPU's for all
// devices).
#pragma once

#include <ATen/core/Tensor.h>

namespace at::musa {

/// A tensor over `storage` with the sizes and the quantization of `tensor`, for the kernels of `key`.
Tensor quantizedLike(const Tensor& tensor, c10::Storage storage, c10::DispatchKey key);

}  // namespace at::musa
