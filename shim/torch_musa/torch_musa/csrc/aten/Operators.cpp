// What is the device's own: memory, copies, views. All else is done by the fallback.
#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/InferSize.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/native/ResizeCommon.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include <cstring>

#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/aten/Nested.h"
#include "torch_musa/csrc/aten/Quantized.h"
#include "torch_musa/csrc/core/Allocator.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Queue.h"
#include "torch_musa/csrc/core/SyncDebug.h"

namespace at::musa {

c10::Storage storageOnCpu(const Tensor& tensor, bool isWritten) {
  const auto& storage = tensor.storage();
  void* const data = isWritten ? storage.mutable_data() : const_cast<void*>(storage.data());
  return {c10::Storage::use_byte_size_t{}, storage.nbytes(), c10::DataPtr(data, c10::Device(c10::kCPU)),
          c10::GetAllocator(c10::kCPU), true};
}

Tensor onCpu(const Tensor& tensor) { return onCpu(tensor, storageOnCpu(tensor, true)); }

Tensor onCpu(const Tensor& tensor, c10::Storage storage) {
  if (tensor.is_nested()) return nestedLike(tensor, std::move(storage), c10::DispatchKey::NestedTensorCPU);
  if (tensor.is_quantized()) return quantizedLike(tensor, std::move(storage), c10::DispatchKey::QuantizedCPU);
  Tensor made = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  made.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  if (tensor.is_conj()) made._set_conj(true);
  if (tensor.is_neg()) made._set_neg(true);
  return made;
}

// All of a tensor's memory, on the device.
static c10::Storage copied(const Tensor& tensor, c10::DeviceIndex device) {
  const c10::musa::DeviceScope scope(device);
  const std::size_t bytes = tensor.storage().nbytes();
  c10::DataPtr memory = c10::musa::deviceAllocator().allocate(bytes);
  if (bytes > 0) std::memcpy(memory.get(), tensor.storage().data(), bytes);
  return {c10::Storage::use_byte_size_t{}, bytes, std::move(memory), &c10::musa::deviceAllocator(), true};
}

Tensor toDevice(const Tensor& tensor, c10::DeviceIndex device) {
  if (tensor.layout() != c10::kStrided) return tensor;
  if (tensor.is_nested())
    return nestedLike(tensor, copied(tensor, device), c10::DispatchKey::NestedTensorPrivateUse1);
  if (tensor.is_quantized())
    return quantizedLike(tensor, copied(tensor, device), c10::DispatchKey::QuantizedPrivateUse1);
  const Tensor made = at::empty_strided(tensor.sizes(), tensor.strides(),
                                        tensor.options().device(c10::musa::kDevice, device));
  if (tensor.numel() > 0) onCpu(made).copy_(tensor);
  return made;
}

void finishStream(c10::DeviceIndex device) {
  C10_MUSA_CHECK(musaStreamSynchronize(c10::musa::nativeStream(c10::musa::currentStream(device))));
  c10::musa::throwQueued();
}

namespace {

c10::Device deviceFor(std::optional<c10::Device> device) {
  if (device.has_value() && device->has_index()) return *device;
  return {c10::musa::kDevice, c10::musa::current_device()};
}

bool fills() {
  return at::globalContext().deterministicAlgorithms() &&
         at::globalContext().deterministicFillUninitializedMemory();
}

// What nobody has written is filled where torch.use_deterministic_algorithms() asks for it.
Tensor filled(Tensor tensor) {
  if (fills()) at::native::fill_empty_deterministic_(tensor);
  return tensor;
}

Tensor emptyMemoryFormat(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> /*layout*/,
                         std::optional<c10::Device> device, std::optional<bool> pin,
                         std::optional<MemoryFormat> format) {
  TORCH_CHECK(!pin.value_or(false), "Only dense CPU tensors can be pinned");
  const c10::musa::DeviceScope scope(deviceFor(device).index());
  return filled(at::detail::empty_generic(size, &c10::musa::deviceAllocator(),
                                          c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                          c10::dtype_or_default(dtype), format));
}

Tensor emptyStrided(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                    std::optional<Layout> /*layout*/, std::optional<c10::Device> device,
                    std::optional<bool> pin) {
  TORCH_CHECK(!pin.value_or(false), "Only dense CPU tensors can be pinned");
  const c10::musa::DeviceScope scope(deviceFor(device).index());
  return filled(at::detail::empty_strided_generic(size, stride, &c10::musa::deviceAllocator(),
                                                  c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                                  c10::dtype_or_default(dtype)));
}

void finish(const Tensor& tensor) {
  if (!isOurs(tensor)) return;
  const c10::musa::DeviceScope scope(tensor.device().index());
  finishStream(tensor.device().index());
}

// As on a card: within a device always, to and from the CPU with pinned memory only.
bool isQueued(const Tensor& from, const Tensor& to, bool nonBlocking) {
  const c10::DeviceIndex device = (isOurs(to) ? to : from).device().index();
  if (!c10::musa::queues(device)) return false;
  if (isOurs(from) && isOurs(to)) return from.device() == to.device();
  const Tensor& host = isOurs(from) ? to : from;
  const bool recorded = c10::musa::capturing(device);
  const bool pinned = (nonBlocking || recorded) && host.is_pinned();
  TORCH_CHECK(pinned || !recorded,
              "Cannot copy between CPU and MUSA tensors during MUSA graph capture unless the CPU tensor is "
              "pinned. Please use "
              "tensor.pin_memory() or allocate the tensor with pin_memory=True.");
  return pinned;
}

// Between devices, and from and to the CPU.
void copyBytes(const Tensor& from, const Tensor& to, bool nonBlocking) {
  const Tensor target = isOurs(to) ? onCpu(to) : to;
  const bool same = isOurs(from) && isOurs(to) && from.is_alias_of(to);
  const Tensor source = same           ? onCpu(from, target.storage())
                        : isOurs(from) ? onCpu(from, storageOnCpu(from, false))
                                       : from;
  if (isQueued(from, to, nonBlocking)) {
    c10::musa::queueWork((isOurs(to) ? to : from).device().index(), "aten::copy_",
                         [source, target] { target.copy_(source); });
    return;
  }
  if (isOurs(from) != isOurs(to) && !nonBlocking) c10::musa::tellSynchronizing();
  finish(from);
  finish(to);
  target.copy_(source);
}

Tensor copyFrom(const Tensor& self, const Tensor& dst, bool nonBlocking) {
  copyBytes(self, dst, nonBlocking);
  return dst;
}

Tensor copyFromAndResize(const Tensor& self, const Tensor& dst) {
  if (dst.sizes() != self.sizes()) dst.resize_(self.sizes());
  copyBytes(self, dst, false);
  return dst;
}

Tensor& copyInto(Tensor& self, const Tensor& source, bool nonBlocking) {
  if (self.numel() == 0 && source.numel() == 0) return self;
  if (!source.is_same(self)) copyBytes(source, self, nonBlocking);
  return self;
}

Scalar item(const Tensor& self) {
  c10::musa::tellSynchronizing();
  finish(self);
  return onCpu(self).item();
}

const Tensor& resize(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  auto* const impl = self.unsafeGetTensorImpl();
  const auto before = static_cast<int64_t>(impl->storage().nbytes());
  if (self.sizes() != size) {
    impl->set_sizes_contiguous(size);
    const auto needed =
        static_cast<std::size_t>(impl->numel() + impl->storage_offset()) * impl->dtype().itemsize();
    if (impl->storage().nbytes() < needed) {
      const c10::musa::DeviceScope scope(self.device().index());
      const c10::Storage storage = impl->storage();
      c10::DataPtr fresh = storage.allocator()->allocate(needed);
      // Done at once: a copy within the device would still be on its way when kernels write there.
      if (storage.nbytes() > 0) {
        finishStream(self.device().index());
        std::memcpy(fresh.get(), storage.data(), storage.nbytes());
      }
      storage.set_data_ptr_noswap(std::move(fresh));
      storage.set_nbytes(needed);
    }
  }
  if (format.has_value()) impl->empty_tensor_restride(*format);
  if (fills()) at::native::fill_resize_deterministic_(self, before);
  return self;
}

Tensor& setSource(Tensor& self, c10::Storage source) {
  const auto count = static_cast<int64_t>(source.nbytes() / self.dtype().itemsize());
  return at::native::set_storage_cpu_(self, std::move(source), 0, {count}, {});
}

Tensor& setTensor(Tensor& self, const Tensor& source) {
  if (!self.is_same(source))
    self.set_(source.storage(), source.storage_offset(), source.sizes(), source.strides());
  return self;
}

Tensor& setNothing(Tensor& self) {
  const c10::Storage nothing(c10::Storage::use_byte_size_t{}, 0, c10::musa::deviceAllocator().allocate(0),
                             &c10::musa::deviceAllocator(), true);
  return at::native::set_storage_cpu_(self, nothing, 0, {0}, {});
}

void recordStream(Tensor& self, c10::Stream stream) {
  c10::musa::deviceAllocator().recordStream(self.storage().data_ptr(), stream);
}

// Whether `.data = ` may give a tensor what the other is: on CUDA the device may change, and by this
// Module.to() keeps its parameters, which an optimizer may have; on the vendor's devices as well.
bool compatible(const Tensor& self, const Tensor& from) {
  const auto dense = [](c10::DispatchKeySet keys) {
    return keys.has_any(c10::DispatchKeySet(c10::DispatchKey::Dense)) &&
           keys.has_any(
               c10::DispatchKeySet({c10::BackendComponent::CPUBit, c10::BackendComponent::PrivateUse1Bit}));
  };
  return (dense(self.key_set()) && dense(from.key_set())) ||
         self.unsafeGetTensorImpl()->has_compatible_shallow_copy_type(from.key_set());
}

bool isSetTo(const Tensor& self, const Tensor& other) {
  return self.storage().unsafeGetStorageImpl() == other.storage().unsafeGetStorageImpl() &&
         self.sizes() == other.sizes() && self.strides() == other.strides() &&
         self.storage_offset() == other.storage_offset();
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", emptyMemoryFormat);
  m.impl("empty_strided", emptyStrided);
  m.impl("_has_compatible_shallow_copy_type", compatible);
  m.impl("_copy_from", copyFrom);
  m.impl("_copy_from_and_resize", copyFromAndResize);
  m.impl("copy_", copyInto);
  m.impl("_local_scalar_dense", item);
  m.impl("resize_", resize);
  m.impl("as_strided", at::native::as_strided_tensorimpl);
  m.impl("view", at::native::view);
  m.impl("_reshape_alias", at::native::_reshape_alias);
  m.impl("unfold", at::native::unfold);
  m.impl("view_as_real", at::native::view_as_real);
  m.impl("view_as_complex", at::native::view_as_complex);
  m.impl("set_.source_Storage", setSource);
  m.impl("set_.source_Storage_storage_offset", at::native::set_storage_cpu_);
  m.impl("set_.source_Tensor", setTensor);
  m.impl("set_", setNothing);
  m.impl("is_set_to", isSetTo);
  m.impl("record_stream", recordStream);
}

}  // namespace at::musa
