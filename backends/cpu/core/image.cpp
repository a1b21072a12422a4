#include "cpu/core/image.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "cpu/core/cpu_level.h"
#include "cpu/devrt/control.h"

namespace musashim::backend::cpu {

namespace {

// By number of the process, so that debuggers find it too.
std::string pathOf(int fd) { return fmt::format("/proc/{}/fd/{}", getpid(), fd); }

// Images call libmusadevrt without naming it. When a program has loaded us at run
// time into a scope of its own, its symbols must be made global first.
void makeRuntimeGlobal() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&__musa_run_fibers), &info) == 0) return;
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  });
}

// A sealed file in memory: the loader maps it, nobody changes it any more.
Status writeImage(std::span<const std::byte> bytes, int& fd) {
  fd = memfd_create("musa-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  size_t written = 0;
  while (fd >= 0 && written < bytes.size()) {
    ssize_t now = write(fd, bytes.data() + written, bytes.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) break;
    written += static_cast<size_t>(now);
  }
  if (fd < 0 || written < bytes.size()) {
    Status status{StatusCode::kOutOfMemory,
                  fmt::format("cannot hold a device image of {} bytes: {}", bytes.size(), strerror(errno))};
    if (fd >= 0) close(fd);
    return status;
  }
  fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  return Status::ok();
}

}  // namespace

Status CpuImage::load(std::span<const std::byte> bytes, uint32_t arch, std::unique_ptr<Image>& loaded) {
  constexpr char kElf[] = {'\x7f', 'E', 'L', 'F'};
  if (bytes.size() < sizeof kElf || memcmp(bytes.data(), kElf, sizeof kElf) != 0) {
    return {StatusCode::kInvalidImage,
            fmt::format("a device image of {} bytes is no ELF file", bytes.size())};
  }
  makeRuntimeGlobal();
  int fd;
  MUSASHIM_RETURN_IF_ERROR(writeImage(bytes, fd));
  void* handle = dlopen(pathOf(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = dlerror();
    close(fd);
    return {StatusCode::kInvalidImage, fmt::format("cannot load a device image: {}", reason ? reason : "?")};
  }
  std::unique_ptr<CpuImage> image(new CpuImage(fd, handle));
  MUSASHIM_RETURN_IF_ERROR(image->readInfo(arch));
  loaded = std::move(image);
  return Status::ok();
}

Status CpuImage::readInfo(uint32_t arch) {
  info_ = static_cast<const MusaImageInfo*>(dlsym(handle_, MUSASHIM_IMAGE_SYMBOL));
  if (!info_) return {StatusCode::kInvalidImage, "the device image does not define " MUSASHIM_IMAGE_SYMBOL};
  if (info_->magic != MUSASHIM_IMAGE_MAGIC || info_->abi_version != MUSASHIM_IMAGE_ABI_VERSION) {
    return {StatusCode::kInvalidImage,
            fmt::format("a device image with magic {:#x} and ABI version {}: expected {:#x} and {}",
                        info_->magic, info_->abi_version, MUSASHIM_IMAGE_MAGIC, MUSASHIM_IMAGE_ABI_VERSION)};
  }
  if (info_->cpu_level > cpuLevel()) {
    return {StatusCode::kNoBinaryForArch,
            fmt::format("a device image for x86-64-v{} processors, this one is x86-64-v{}: compile with "
                        "-fmusa-cpu=x86-64 or several levels",
                        info_->cpu_level, cpuLevel())};
  }
  const bool fitsAll = info_->arch == 0;
  if (!fitsAll && info_->arch != arch) {
    return {StatusCode::kNoBinaryForArch,
            fmt::format("a device image for mp_{} on a device of mp_{}", info_->arch / 10, arch / 10)};
  }
  kernels_.reserve(info_->kernel_count);
  for (uint32_t i = 0; i < info_->kernel_count; ++i) {
    kernels_.push_back({&info_->kernels[i], arch});
    kernelsByName_.emplace(info_->kernels[i].name, &kernels_.back());
  }
  for (uint32_t i = 0; i < info_->variable_count; ++i) {
    variablesByName_.emplace(info_->variables[i].name, &info_->variables[i]);
  }
  return Status::ok();
}

CpuImage::~CpuImage() {
  dlclose(handle_);
  // The loader knows images by path. One that could not be unloaded keeps its path,
  // so the descriptor's number must not be used again.
  if (void* still = dlopen(pathOf(fd_).c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    dlclose(still);
    return;
  }
  close(fd_);
}

Status CpuImage::findKernel(std::string_view name, const Kernel*& kernel) const {
  auto found = kernelsByName_.find(name);
  if (found == kernelsByName_.end()) {
    return {StatusCode::kNotFound, fmt::format("the device image has no kernel {}", name)};
  }
  kernel = found->second;
  return Status::ok();
}

Status CpuImage::findVariable(std::string_view name, Variable& variable) const {
  auto found = variablesByName_.find(name);
  if (found == variablesByName_.end()) {
    return {StatusCode::kNotFound, fmt::format("the device image has no variable {}", name)};
  }
  variable = {found->second->address, found->second->size, found->second->flags};
  return Status::ok();
}

}  // namespace musashim::backend::cpu
