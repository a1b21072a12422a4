#include "musa/module/library.h"

#include <fmt/format.h>

#include "musa/api/api_call.h"

namespace musashim::musa {
namespace {

std::vector<std::byte> copyOf(const void* code, size_t bytes) {
  auto* begin = static_cast<const std::byte*>(code);
  return {begin, begin + bytes};
}

}  // namespace

Result findLibrary(MUlibrary handle, Library*& library) {
  library = driver().libraries.get(handle);
  MUSA_REQUIRE(library, MUSA_ERROR_INVALID_HANDLE, fmt::format("no library {}", fmt::ptr(handle)));
  return {};
}

Result findKernel(MUkernel handle, LibraryKernel*& kernel) {
  kernel = driver().libraryKernels.get(handle);
  MUSA_REQUIRE(kernel, MUSA_ERROR_INVALID_HANDLE, fmt::format("no kernel {}", fmt::ptr(handle)));
  return {};
}

Result findLaunchable(MUfunction handle, Context* context, Function*& function) {
  LibraryKernel* kernel = driver().libraryKernels.get(handle);
  if (!kernel) return findFunction(handle, function);
  if (!context) MUSA_TRY(currentContext(context));
  return kernel->function(*context, function);
}

Library::Library(const void* code, size_t bytes, bool preserved)
    : copy_(preserved ? std::vector<std::byte>() : copyOf(code, bytes)),
      code_(preserved ? code : copy_.data()),
      bytes_(bytes) {}

Library::~Library() {
  for (auto& [name, kernel] : kernels_) driver().libraryKernels.destroy(kernel);
  for (auto& [handle, loaded] : modules_) {
    Context* context = driver().contexts.get(handle);
    if (!context || context->id() != loaded.contextId) continue;  // its modules went with it
    context->synchronize();                                       // nothing may run in it any more
    context->removeModule(loaded.module);
    driver().modules.destroy(loaded.module);
  }
}

Result Library::module(Context& context, Module*& module) {
  std::lock_guard lock(mutex_);
  auto found = modules_.find(&context);
  if (found != modules_.end() && found->second.contextId == context.id()) {
    module = found->second.module;
    return {};
  }
  MUSA_TRY(loadModule(context, code_, bytes_, module));
  module->ofLibrary = true;
  modules_[&context] = {context.id(), module};
  return {};
}

Result Library::kernel(Context& context, std::string_view name, LibraryKernel*& kernel) {
  Module* loaded = nullptr;
  Function* function = nullptr;
  MUSA_TRY(module(context, loaded));
  MUSA_TRY(loaded->function(name, function));
  std::lock_guard lock(mutex_);
  LibraryKernel*& slot = kernels_[std::string(name)];
  if (!slot) slot = driver().libraryKernels.create(*this, std::string(name));
  kernel = slot;
  return {};
}

Result Library::kernelNames(Context& context, std::vector<std::string>& names) {
  Module* loaded = nullptr;
  MUSA_TRY(module(context, loaded));
  names = loaded->functionNames();
  return {};
}

Result LibraryKernel::function(Context& context, Function*& function) {
  Module* module = nullptr;
  MUSA_TRY(library_.module(context, module));
  return module->function(name_, function);
}

}  // namespace musashim::musa
