// Device code as a backend holds it after loading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "abi/musa_device_abi.h"
#include "interface/status.h"

namespace musashim::backend {

// A kernel of a loaded image. `info` lives as long as the image.
struct Kernel {
  const MusaKernelInfo* info = nullptr;
  uint32_t arch = 0;  // of the image it came from
};

struct Variable {
  void* address = nullptr;  // this device's copy
  size_t size = 0;          // bytes
  uint32_t flags = 0;       // MUSA_VARIABLE_*
};

// One device's copy of one image. Unloads when destroyed; no work that uses it
// may be pending then.
class Image {
 public:
  virtual ~Image() = default;

  virtual std::span<const Kernel> kernels() const = 0;
  virtual std::span<const MusaVariableInfo> variables() const = 0;

  // kNotFound when the image has no such name (mangled).
  virtual Status findKernel(std::string_view name, const Kernel*& kernel) const = 0;
  virtual Status findVariable(std::string_view name, Variable& variable) const = 0;
};

}  // namespace musashim::backend
