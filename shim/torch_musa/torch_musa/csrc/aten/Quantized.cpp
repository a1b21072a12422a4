#include "torch_musa/csrc/aten/Quantized.h"

#include <ATen/ops/_empty_affine_quantized.h>
#include <ATen/ops/_empty_per_channel_affine_quantized.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/quantized/QTensorImpl.h>
#include <ATen/quantized/Quantizer.h>
#include <torch/library.h>

#include <utility>

#include "torch_musa/csrc/aten/Memory.h"

namespace at::musa {
namespace {

// Scales of channels may lie in a tensor's memory that is gone soon.
QuantizerPtr lasting(const QuantizerPtr& quantizer) {
  const auto* const channels = dynamic_cast<const PerChannelAffineQuantizer*>(quantizer.get());
  if (channels == nullptr) return quantizer;
  return make_per_channel_affine_quantizer(channels->scales().clone(), channels->zero_points().clone(),
                                           channels->axis(), quantizer->scalar_type());
}

// The whole numbers, in the same memory.
Tensor numbers(const Tensor& tensor) {
  const auto key = isOurs(tensor) ? c10::DispatchKey::PrivateUse1 : c10::DispatchKey::CPU;
  Tensor made = detail::make_tensor<c10::TensorImpl>(
      c10::Storage(tensor.storage()), c10::DispatchKeySet(key),
      c10::scalarTypeToTypeMeta(c10::toUnderlying(tensor.scalar_type())));
  made.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  return made;
}

// Between devices, too.
Tensor& copyQuantized(Tensor& self, const Tensor& source, bool nonBlocking) {
  TORCH_CHECK(self.is_quantized(),
              "Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize "
              "to get a float Tensor from a quantized Tensor");
  auto& target = *get_qtensorimpl(self);
  if (!source.is_quantized()) {
    const Tensor values = source.to(c10::kCPU, c10::kFloat).expand(self.sizes()).contiguous();
    numbers(self).copy_(numbers(target.quantizer()->quantize(values)), nonBlocking);
    return self;
  }
  TORCH_CHECK(self.scalar_type() == source.scalar_type() && self.qscheme() == source.qscheme(),
              "Quantized copy only works with same dtype and same quantization scheme, but got ",
              self.scalar_type(), " and ", source.scalar_type());
  numbers(self).copy_(numbers(source), nonBlocking);
  target.set_quantizer_(get_qtensorimpl(source)->quantizer());
  return self;
}

// On the device that is asked for, whichever has `like`.
Tensor emptyQuantized(IntArrayRef size, const Tensor& like, std::optional<ScalarType> dtype,
                      std::optional<Layout> layout, std::optional<c10::Device> device,
                      std::optional<bool> pin, std::optional<MemoryFormat> format) {
  const auto options =
      like.options().merge_in(TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin));
  const QuantizerPtr quantizer = get_qtensorimpl(like)->quantizer();
  if (const auto* const channels = dynamic_cast<const PerChannelAffineQuantizer*>(quantizer.get()))
    return at::_empty_per_channel_affine_quantized(size, channels->scales(), channels->zero_points(),
                                                   channels->axis(), options, format);
  const auto& whole = static_cast<const PerTensorAffineQuantizer&>(*quantizer);
  return at::_empty_affine_quantized(size, options, whole.scale(), whole.zero_point(), format);
}

}  // namespace

Tensor quantizedLike(const Tensor& tensor, c10::Storage storage, c10::DispatchKey key) {
  Tensor made = detail::make_tensor<QTensorImpl>(std::move(storage), c10::DispatchKeySet(key), tensor.dtype(),
                                                 lasting(get_qtensorimpl(tensor)->quantizer()));
  made.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  return made;
}

TORCH_LIBRARY_IMPL(aten, QuantizedPrivateUse1, m) {
  m.impl("copy_", copyQuantized);
  m.impl("as_strided", at::native::as_strided_qtensorimpl);
  m.impl("empty_quantized", emptyQuantized);
}

}  // namespace at::musa
