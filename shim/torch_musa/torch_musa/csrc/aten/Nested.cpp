#include "torch_musa/csrc/aten/Nested.h"

#include <ATen/NestedTensorImpl.h>
#include <torch/library.h>

#include <optional>
#include <utility>

#include "torch_musa/csrc/aten/Memory.h"

namespace at::musa {
namespace {

using at::native::get_nested_tensor_impl;
using at::native::NestedTensorImpl;

Tensor buffer(const Tensor& tensor) { return get_nested_tensor_impl(tensor)->get_unsafe_storage_as_tensor(); }

// Between devices, too.
Tensor toCopy(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
              std::optional<c10::Device> device, std::optional<bool> pin, bool nonBlocking,
              std::optional<MemoryFormat> /*format*/) {
  TORCH_CHECK(!layout.has_value() || *layout == self.layout(),
              "to(options) doesn't support converting to a different layout, but got self.layout being ",
              self.layout(), " and options.layout set as ", *layout);
  const auto options = self.options()
                           .merge_in(TensorOptions().dtype(dtype).device(device).pinned_memory(pin))
                           .layout(c10::kStrided);
  const auto& parts = *get_nested_tensor_impl(self);
  const Tensor copied = buffer(self).to(options, nonBlocking, /*copy=*/true);
  return detail::make_tensor<NestedTensorImpl>(copied, parts.get_nested_sizes(), parts.get_nested_strides(),
                                               parts.get_storage_offsets());
}

Tensor& copyNested(Tensor& self, const Tensor& source, bool nonBlocking) {
  TORCH_CHECK(self.is_nested() && source.is_nested() &&
                  get_nested_tensor_impl(self)->get_nested_sizes().equal(
                      get_nested_tensor_impl(source)->get_nested_sizes()),
              "copy_ only supports tensors that are the same size for Nested implementations");
  const auto from = source.unbind(), to = self.unbind();
  for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i], nonBlocking);
  return self;
}

// What parts look like is known on the host, as with CUDA.
Tensor sizesOf(const Tensor& self) { return get_nested_tensor_impl(self)->get_nested_sizes(); }
Tensor stridesOf(const Tensor& self) { return get_nested_tensor_impl(self)->get_nested_strides(); }
Tensor offsetsOf(const Tensor& self) { return get_nested_tensor_impl(self)->get_storage_offsets(); }

}  // namespace

Tensor nestedLike(const Tensor& tensor, c10::Storage storage, c10::DispatchKey key) {
  const auto& parts = *get_nested_tensor_impl(tensor);
  const c10::DispatchKeySet keys =
      c10::DispatchKeySet(key) | c10::DispatchKeySet(c10::DispatchKey::AutogradNestedTensor);
  return detail::make_tensor<NestedTensorImpl>(std::move(storage), keys, tensor.dtype(),
                                               parts.get_nested_sizes(), parts.get_nested_strides(),
                                               parts.get_storage_offsets());
}

TORCH_LIBRARY_IMPL(aten, NestedTensorPrivateUse1, m) {
  m.impl("_to_copy", toCopy);
  m.impl("copy_", copyNested);
  m.impl("_nested_tensor_size", sizesOf);
  m.impl("_nested_tensor_strides", stridesOf);
  m.impl("_nested_tensor_storage_offsets", offsetsOf);
}

}  // namespace at::musa
