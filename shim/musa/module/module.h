// Modules: one context's copy of a device image, with its functions and variables.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interface/device.h"
#include "interface/kernel.h"
#include "musa/api/numbering.h"
#include "musa/api/result.h"
#include "musa/module/old_launch.h"

namespace musashim::musa {

class Context;
class Module;

class Function {
 public:
  Function(Module& module, const backend::Kernel& kernel);

  Module& module() const { return module_; }
  Context& context() const;
  const backend::Kernel& kernel() const { return kernel_; }
  const MusaKernelInfo& info() const { return *kernel_.info; }

  // Threads a block of this function may have: the device's limit or the launch bounds.
  uint32_t maxThreads() const { return maxThreads_; }
  // Dynamic shared memory a launch may ask for; raised by muFuncSetAttribute.
  uint32_t maxDynamicShared() const { return maxDynamicShared_.load(std::memory_order_relaxed); }
  Result setMaxDynamicShared(int bytes);
  Result attribute(MUfunction_attribute attribute, int& value, Numbering numbering) const;
  Result setAttribute(MUfunction_attribute attribute, int value);
  // Where a parameter lies in the packed buffer; `size` may be null.
  Result parameter(size_t index, size_t* offset, size_t* size) const;

  OldLaunch& oldLaunch() { return oldLaunch_; }

  std::atomic<int> carveout{-1};

 private:
  Module& module_;
  const backend::Kernel& kernel_;
  uint32_t maxThreads_;
  std::atomic<uint32_t> maxDynamicShared_;
  OldLaunch oldLaunch_;
};

class Module {
 public:
  Module(Context& context, std::unique_ptr<backend::Image> image);
  ~Module();

  Context& context() const { return context_; }
  Result function(std::string_view name, Function*& function);
  Result variable(std::string_view name, backend::Variable& variable) const;
  std::vector<std::string> functionNames() const;

  std::atomic<bool> ofLibrary{false};  // ends with its library, not by the user

 private:
  Context& context_;
  std::unique_ptr<backend::Image> image_;
  std::mutex mutex_;
  std::unordered_map<std::string, Function*> functions_;
};

// The image for `device` in `data`: a bundle's entry, of several the best for this machine, or `data` itself
// when it is an ELF image. `limit` bounds the size where it is known.
Result selectImage(const void* data, size_t limit, const backend::Device& device,
                   std::span<const std::byte>& image);

// Loads it into `context`.
Result loadModule(Context& context, const void* data, size_t limit, Module*& module);

}  // namespace musashim::musa
