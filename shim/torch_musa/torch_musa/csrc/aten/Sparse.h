// Tensors of sparse layouts: what they hold are tensors of indices and values.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>

namespace at::musa {

using Change = c10::function_ref<Tensor(const Tensor&)>;

inline bool isSparse(const Tensor& tensor) { return tensor.layout() != c10::kStrided; }

/// A sparse tensor on `device` like `tensor`, which is on another one, with change(part) for each part.
Tensor sparseLike(const Tensor& tensor, c10::Device device, Change change);
/// `target` becomes what `source` is, with change(part) for each part.
void takeParts(const Tensor& target, const Tensor& source, Change change);

}  // namespace at::musa
