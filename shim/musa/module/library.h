// Libraries: device code that belongs to no context. Each context gets its own module of it
// when something there is first asked for.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "musa.h"
#include "musa/api/result.h"
#include "musa/module/module.h"

namespace musashim::musa {

class Context;
class Library;

// One kernel of a library, in whichever context it is used.
class LibraryKernel {
 public:
  LibraryKernel(Library& library, std::string name) : library_(library), name_(std::move(name)) {}

  MUkernel handle() { return reinterpret_cast<MUkernel>(this); }
  Library& library() const { return library_; }
  const std::string& name() const { return name_; }
  Result function(Context& context, Function*& function);

 private:
  Library& library_;
  const std::string name_;
};

class Library {
 public:
  // The code is copied unless the caller keeps it.
  Library(const void* code, size_t bytes, bool preserved);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  MUlibrary handle() { return reinterpret_cast<MUlibrary>(this); }
  Result module(Context& context, Module*& module);
  // Fails when the code has no such kernel.
  Result kernel(Context& context, std::string_view name, LibraryKernel*& kernel);
  Result kernelNames(Context& context, std::vector<std::string>& names);

 private:
  struct Loaded {
    uint64_t contextId;
    Module* module;
  };
  std::vector<std::byte> copy_;
  const void* code_;
  const size_t bytes_;
  std::mutex mutex_;
  std::map<Context*, Loaded> modules_;
  std::unordered_map<std::string, LibraryKernel*> kernels_;
};

// How many bytes the code at `data` takes: a bundle's or an ELF image's own word for it.
Result codeSize(const void* data, size_t& bytes);

Result findLibrary(MUlibrary handle, Library*& library);
Result findKernel(MUkernel handle, LibraryKernel*& kernel);
// What launches, occupancy and graphs take for a function: one, or a library's kernel, which then stands for
// its function in `context` (null: the current one).
Result findLaunchable(MUfunction handle, Context* context, Function*& function);

}  // namespace musashim::musa
