// What muLinkCreate begins: images, and at last one module of all of them.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "musa.h"
#include "musa/api/result.h"
#include "musa/module/jit_logs.h"
#include "musa/module/unit_link.h"

namespace musashim::musa {

class Context;

class Linker {
 public:
  // The caller keeps the options' values as long as the linker is.
  Linker(const MUjit_option* options, void** values, unsigned count) : logs_(options, values, count) {}

  MUlinkState handle() { return reinterpret_cast<MUlinkState>(this); }
  Result add(MUjitInputType type, const void* data, size_t size, const std::string& name);
  // The module stays the linker's.
  Result complete(Context& context, void** data, size_t* size);

 private:
  void addImage(std::vector<std::byte> image, const std::string& name);
  Result addOne(MUjitInputType type, const void* data, size_t size, const std::string& name);
  std::mutex mutex_;
  JitLogs logs_;
  // Images, and what is to be linked to one.
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<UnitInput> units_;
  std::vector<std::byte> module_;
};

Result findLinker(MUlinkState handle, Linker*& linker);

}  // namespace musashim::musa
