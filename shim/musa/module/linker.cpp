#include "linker.h"

#include <elf.h>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "abi/offload_bundle.h"
#include "abi/text_image.h"
#include "musa/api/driver.h"
#include "musa/module/linked_image.h"
#include "musa/module/module.h"

namespace musashim::musa {
namespace {

// The section in which objects of mcc -dc keep device code for a link by mcc.
constexpr std::string_view kDeviceCode = ".llvm.offloading";

bool begins(const void* data, size_t size, std::string_view magic) {
  return size >= magic.size() && std::memcmp(data, magic.data(), magic.size()) == 0;
}

// ET_NONE: no ELF file.
int elfType(const void* data, size_t size) {
  Elf64_Ehdr header;
  if (!begins(data, size, {ELFMAG, SELFMAG}) || size < sizeof header) return ET_NONE;
  std::memcpy(&header, data, sizeof header);
  return header.e_type;
}

bool hasDeviceCode(const void* data, size_t size) {
  return std::string_view(static_cast<const char*>(data), size).find(kDeviceCode) != std::string_view::npos;
}

}  // namespace

Result Linker::add(MUjitInputType type, const void* data, size_t size, const std::string& name) {
  const std::lock_guard lock(mutex_);
  return logs_.told(addOne(type, data, size, name.empty() ? "an input without a name" : name));
}

Result Linker::addOne(MUjitInputType type, const void* data, size_t size, const std::string& name) {
  MUSA_REQUIRE(type >= MU_JIT_INPUT_CUBIN && type <= MU_JIT_INPUT_NVVM, MUSA_ERROR_INVALID_VALUE,
               "unknown kind of input");
  const auto* const bytes = static_cast<const std::byte*>(data);
  if (type == MU_JIT_INPUT_LIBRARY) {
    MUSA_REQUIRE(isArchive(data, size), MUSA_ERROR_INVALID_IMAGE, name + " is no library");
    if (hasDeviceCode(data, size)) {
      units_.push_back({name, {bytes, bytes + size}});
    } else {
      logs_.inform(name + " has nothing to link");  // as the device runtime's library
    }
    return {};
  }
  if (abi::isTextImage(data)) {
    std::vector<std::byte> decoded;
    MUSA_REQUIRE(abi::readTextImage(data, size, decoded), MUSA_ERROR_INVALID_IMAGE, name + " is not whole");
    addImage(std::move(decoded), name);
    return {};
  }
  const int elf = elfType(data, size);
  if (elf == ET_REL && hasDeviceCode(data, size)) {
    units_.push_back({name, {bytes, bytes + size}});
    return {};
  }
  if (elf != ET_DYN && (size < abi::kBundleMagic.size() || !abi::isBundle(data))) {
    MUSA_REQUIRE(
        type != MU_JIT_INPUT_PTX, MUSA_ERROR_INVALID_PTX,
        name + " is no image of ours, and MUSA devices know no PTX: compile the source with MTRTC or mcc");
    return {MUSA_ERROR_INVALID_IMAGE, name + " is no image, nor an object of mcc -dc"};
  }
  addImage({bytes, bytes + size}, name);
  return {};
}

void Linker::addImage(std::vector<std::byte> image, const std::string& name) {
  const std::span<const std::byte> unit = unitOf(image.data(), image.size());
  if (unit.empty()) {
    inputs_.push_back(std::move(image));
  } else {
    units_.push_back({name, {unit.begin(), unit.end()}});
  }
}

Result Linker::complete(Context& context, void** data, size_t* size) {
  const std::lock_guard lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::vector<std::byte>> images = inputs_;
  if (!units_.empty()) {
    if (Result result = linkUnits(units_, images.emplace_back()); !result.isOk())
      return logs_.told(std::move(result));
  }
  if (images.empty()) return logs_.told({MUSA_ERROR_INVALID_IMAGE, "there is nothing to link"});
  if (images.size() == 1) {
    module_ = std::move(images.front());
  } else {
    module_ = writeLinked(images);
    std::unique_ptr<backend::Image> tried;
    if (Result result = loadLinked(module_.data(), module_.size(), context.device().backend(), tried);
        !result.isOk())
      return logs_.told(std::move(result));
  }
  const std::chrono::duration<float, std::milli> took = std::chrono::steady_clock::now() - start;
  logs_.setWallTime(took.count());
  *data = module_.data();
  if (size != nullptr) *size = module_.size();
  return {};
}

Result findLinker(MUlinkState handle, Linker*& linker) {
  linker = driver().linkers.get(handle);
  MUSA_REQUIRE(linker, MUSA_ERROR_INVALID_HANDLE, fmt::format("no linker {}", fmt::ptr(handle)));
  return {};
}

}  // namespace musashim::musa
