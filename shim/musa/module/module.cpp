#include "musa/module/module.h"

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "abi/offload_bundle.h"
#include "abi/text_image.h"
#include "core/cuda_capability.h"
#include "musa/api/driver.h"
#include "musa/module/library.h"
#include "musa/module/linked_image.h"
#include "musa/module/unit_link.h"

namespace musashim::musa {
namespace {

// The size of an ELF file in memory: where its last section or header table ends.
size_t elfSize(const std::byte* data) {
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof header);
  size_t end = header.e_shoff + size_t{header.e_shnum} * header.e_shentsize;
  end = std::max(end, header.e_phoff + size_t{header.e_phnum} * header.e_phentsize);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, data + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, size_t{section.sh_offset + section.sh_size});
  }
  return end;
}

bool isElf(const void* data) { return std::memcmp(data, ELFMAG, SELFMAG) == 0; }

// What a kernel of a CUDA source was compiled for. One of a MUSA source is as any device of the CUDA face.
uint32_t cudaArch(const MusaKernelInfo& kernel) {
  const uint32_t compiled = kernel.flags >> MUSA_KERNEL_CUDA_ARCH_SHIFT;
  return compiled != 0 ? compiled : static_cast<uint32_t>(core::cudaCapability().capability.macro());
}

// As on NVIDIA's devices, code runs where the compute capability is what it was compiled for, or higher.
Result checkCapability(const backend::Image& image) {
  uint32_t compiled = 0;
  for (const backend::Kernel& kernel : image.kernels()) compiled = std::max(compiled, cudaArch(*kernel.info));
  const auto offered = static_cast<uint32_t>(core::cudaCapability().capability.macro());
  if (compiled <= offered) return {};
  const std::string what = fmt::format(
      "device code compiled for compute capability {}.{}, and devices that are said to have {}.{}: set "
      "MUSASHIM_CUDA_CAPABILITY alike when it is compiled and when it runs",
      compiled / 100, compiled / 10 % 10, offered / 100, offered / 10 % 10);
  static std::atomic<bool> told{false};
  if (!told.exchange(true)) fmt::print(stderr, "musashim: {}\n", what);
  return {MUSA_ERROR_NO_BINARY_FOR_GPU, what};
}

}  // namespace

Result selectImage(const void* data, size_t limit, const backend::Device& device,
                   std::span<const std::byte>& image) {
  const uint32_t arch = device.profile().arch;
  if (isElf(data)) {
    auto* bytes = static_cast<const std::byte*>(data);
    image = {bytes, limit == SIZE_MAX ? elfSize(bytes) : limit};
    return {};
  }
  MUSA_REQUIRE(abi::isBundle(data), MUSA_ERROR_INVALID_IMAGE, "neither an offload bundle nor an ELF image");
  std::vector<abi::BundleEntry> entries;
  std::string error;
  MUSA_REQUIRE(abi::readBundle(data, limit, entries, error), MUSA_ERROR_INVALID_IMAGE, error);
  std::string found;
  int best = -1;
  for (const abi::BundleEntry& entry : entries) {
    const uint32_t entryArch = abi::bundleArch(entry.id);
    if (entryArch == 0) continue;
    const std::string_view processor = abi::bundleProcessor(entry.id);
    const int rank = entryArch == arch ? device.imageRank(processor) : -1;
    if (rank > best) {
      best = rank;
      image = entry.image;
    }
    found += fmt::format(" mp_{}{}{}", entryArch / 10, processor.empty() ? "" : ":", processor);
  }
  if (best >= 0) return {};
  return {MUSA_ERROR_NO_BINARY_FOR_GPU,
          fmt::format("the device is mp_{} on this machine, the images are for:{}", arch / 10, found)};
}

Result codeSize(const void* data, size_t& bytes) {
  if (isElf(data)) {
    bytes = elfSize(static_cast<const std::byte*>(data));
    return {};
  }
  if (abi::isTextImage(data)) {
    bytes = std::strlen(static_cast<const char*>(data));
    return {};
  }
  MUSA_REQUIRE(abi::isBundle(data), MUSA_ERROR_INVALID_IMAGE, "neither an offload bundle nor an ELF image");
  std::vector<abi::BundleEntry> entries;
  std::string error;
  MUSA_REQUIRE(abi::readBundle(data, SIZE_MAX, entries, error), MUSA_ERROR_INVALID_IMAGE, error);
  bytes = 0;
  for (const abi::BundleEntry& entry : entries) {
    auto end =
        static_cast<size_t>(entry.image.data() + entry.image.size() - static_cast<const std::byte*>(data));
    bytes = std::max(bytes, end);
  }
  return {};
}

Result loadModule(Context& context, const void* data, size_t limit, Module*& module) {
  std::vector<std::byte> decoded;
  if (!isElf(data) && abi::isTextImage(data)) {
    MUSA_REQUIRE(abi::readTextImage(data, limit, decoded) && decoded.size() > abi::kBundleMagic.size(),
                 MUSA_ERROR_INVALID_IMAGE, "the image in letters is not whole");
    data = decoded.data();
    limit = decoded.size();
  }
  if (const std::span<const std::byte> unit =
          isElf(data) ? std::span<const std::byte>() : unitOf(data, limit);
      !unit.empty()) {
    std::vector<std::byte> linked;
    MUSA_TRY(linkUnits({{"the module", {unit.begin(), unit.end()}}}, linked));
    decoded = std::move(linked);
    data = decoded.data();
    limit = decoded.size();
  }
  std::unique_ptr<backend::Image> image;
  backend::Device& device = context.device().backend();
  if (!isElf(data) && isLinked(data, limit)) {
    MUSA_TRY(loadLinked(data, limit, device, image));
  } else {
    std::span<const std::byte> bytes;
    MUSA_TRY(selectImage(data, limit, device, bytes));
    MUSA_TRY(device.loadImage(bytes, image));
  }
  MUSA_TRY(checkCapability(*image));
  module = driver().modules.create(context, std::move(image));
  context.addModule(module);
  return {};
}

Module::Module(Context& context, std::unique_ptr<backend::Image> image)
    : context_(context), image_(std::move(image)) {
  for (const MusaVariableInfo& variable : image_->variables()) {
    driver().allocations().insert({.base = reinterpret_cast<uintptr_t>(variable.address),
                                   .size = variable.size,
                                   .kind = MemoryKind::kVariable,
                                   .context = &context,
                                   .device = context.device().ordinal()});
  }
}

Module::~Module() {
  for (auto& [name, function] : functions_) driver().functions.destroy(function);
  for (const MusaVariableInfo& variable : image_->variables()) {
    driver().allocations().erase(reinterpret_cast<uintptr_t>(variable.address));
  }
  driver().retiredImages().add(std::move(image_));
}

Result Module::function(std::string_view name, Function*& function) {
  std::lock_guard lock(mutex_);
  std::string key(name);
  if (auto known = functions_.find(key); known != functions_.end()) {
    function = known->second;
    return {};
  }
  const backend::Kernel* kernel = nullptr;
  MUSA_TRY(image_->findKernel(name, kernel));
  function = driver().functions.create(*this, *kernel);
  functions_.emplace(std::move(key), function);
  return {};
}

std::vector<std::string> Module::functionNames() const {
  std::vector<std::string> names;
  for (const backend::Kernel& kernel : image_->kernels()) names.emplace_back(kernel.info->name);
  return names;
}

Result Module::variable(std::string_view name, backend::Variable& variable) const {
  return image_->findVariable(name, variable);
}

Function::Function(Module& module, const backend::Kernel& kernel) : module_(module), kernel_(kernel) {
  const backend::DeviceProfile& profile = context().device().profile();
  maxThreads_ = profile.maxThreadsPerBlock;
  if (info().max_threads != 0) maxThreads_ = std::min(maxThreads_, info().max_threads);
  size_t shared = profile.sharedBytesPerBlock;
  size_t fixed = info().static_shared_bytes;
  maxDynamicShared_ = static_cast<uint32_t>(shared > fixed ? shared - fixed : 0);
}

Context& Function::context() const { return module_.context(); }

Result Function::setMaxDynamicShared(int bytes) {
  const backend::DeviceProfile& profile = context().device().profile();
  size_t limit = std::max(profile.sharedBytesPerBlockOptin, profile.sharedBytesPerBlock);
  size_t fixed = info().static_shared_bytes;
  MUSA_REQUIRE(bytes >= 0 && static_cast<size_t>(bytes) + fixed <= limit, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes besides {} static ones; the limit is {}", bytes, fixed, limit));
  maxDynamicShared_ = static_cast<uint32_t>(bytes);
  return {};
}

Result Function::setAttribute(MUfunction_attribute attribute, int value) {
  if (attribute == MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return setMaxDynamicShared(value);
  MUSA_REQUIRE(attribute == MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT && value >= -1 && value <= 100,
               MUSA_ERROR_INVALID_VALUE, "not an attribute to set, or out of range");
  carveout = value;
  return {};
}

Result Function::parameter(size_t index, size_t* offset, size_t* size) const {
  MUSA_REQUIRE(offset && index < info().param_count, MUSA_ERROR_INVALID_VALUE,
               fmt::format("parameter {} of {}", index, info().param_count));
  *offset = info().params[index].offset;
  if (size) *size = info().params[index].size;
  return {};
}

Result Function::attribute(MUfunction_attribute attribute, int& value, Numbering numbering) const {
  const backend::DeviceProfile& profile = context().device().profile();
  switch (attribute) {
    case MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      value = static_cast<int>(maxThreads_);
      break;
    case MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      value = static_cast<int>(info().static_shared_bytes);
      break;
    case MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      value = 0;
      break;
    case MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      value = 0;
      break;
    case MU_FUNC_ATTRIBUTE_NUM_REGS:
      // The emulator allocates none: what each thread of a full block may have.
      value = static_cast<int>(std::min(255u, profile.registersPerBlock / std::max(1u, maxThreads_)));
      break;
    case MU_FUNC_ATTRIBUTE_PTX_VERSION:
    case MU_FUNC_ATTRIBUTE_BINARY_VERSION:
      value = static_cast<int>(numbering == Numbering::kMusa ? kernel_.arch / 10 : cudaArch(info()) / 10);
      break;
    case MU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      value = 0;
      break;
    case MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = static_cast<int>(maxDynamicShared());
      break;
    case MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = carveout.load();
      break;
    case MU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:  // no kernel has clusters
    case MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case MU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case MU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = 0;
      break;
    default:
      return {MUSA_ERROR_INVALID_VALUE, fmt::format("unknown attribute {}", static_cast<int>(attribute))};
  }
  return {};
}

}  // namespace musashim::musa
