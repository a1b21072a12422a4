// A tensor of a device's, seen as one of the CPU's: the same memory, for the CPU's kernels.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::musa {

inline bool isOurs(const Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == c10::DeviceType::PrivateUse1;
}

// Over the same storage, offset and strides included. The tensor must outlive what is done with it.
Tensor onCpu(const Tensor& tensor);
// The same in two steps: tensors that share memory share what the first gives, so that the kernels see that
// they overlap. Memory that is only read stays shared with its lazy clones.
c10::Storage storageOnCpu(const Tensor& tensor, bool isWritten);
Tensor onCpu(const Tensor& tensor, c10::Storage storage);
// A new tensor on the device with what `tensor`, one of the CPU's, holds; with its sizes and strides.
Tensor toDevice(const Tensor& tensor, c10::DeviceIndex device);
// All that was queued on the current stream is done.
void finishStream(c10::DeviceIndex device);

}  // namespace at::musa
