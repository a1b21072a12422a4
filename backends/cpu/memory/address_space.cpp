#include "cpu/memory/address_space.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cpu/devrt/checks/check_hooks.h"
#include "cpu/memory/protection_keys.h"
#include "cpu/memory/reserve.h"
#include "cpu/process/forked_child.h"

namespace musashim::backend::cpu {

namespace {

constexpr const char* kFileName = "musa-memory-";

class MemoryFile final : public PhysicalMemory, public MemoryHolder {
 public:
  // `ledger` is null for memory that another process accounts for.
  MemoryFile(UniqueFd file, size_t device, size_t bytes, MemoryLedger* ledger)
      : file_(std::move(file)), device_(device), bytes_(bytes), ledger_(ledger) {
    closeInForkedChildren(file_.get());
    if (!ledger_) return;
    ledger_->add(this);
    if (ledger_->board()) ledger_->board()->addFile(file_.get());
  }
  ~MemoryFile() override {
    keepInForkedChildren(file_.get());
    if (!ledger_) return;
    ledger_->remove(this);
    ledger_->release(bytes_);
    if (!ledger_->board()) return;
    ledger_->board()->removeFile(file_.get());
    ledger_->board()->release(device_, bytes_);
  }

  size_t bytes() const override { return bytes_; }
  size_t device() const override { return device_; }
  int descriptor() const { return file_.get(); }
  Status exportDescriptor(int& fd) const override {
    fd = fcntl(file_.get(), F_DUPFD_CLOEXEC, 0);
    if (fd >= 0) return Status::ok();
    return {StatusCode::kOutOfMemory, fmt::format("cannot make a descriptor: {}", strerror(errno))};
  }

  uint64_t touchedBytes() const override {
    struct stat status{};
    return fstat(file_.get(), &status) == 0 ? static_cast<uint64_t>(status.st_blocks) * 512 : 0;
  }
  void trim() override {}

 private:
  const UniqueFd file_;
  const size_t device_, bytes_;
  MemoryLedger* const ledger_;
};

// The device that a memory file says it is of; false when it is none of ours.
bool deviceOf(int fd, size_t& device) {
  char target[128] = {};
  const std::string link = fmt::format("/proc/self/fd/{}", fd);
  if (readlink(link.c_str(), target, sizeof target - 1) <= 0) return false;
  return sscanf(target, "/memfd:musa-memory-%zu", &device) == 1;
}

int protectionOf(MemoryAccess access) {
  if (access == MemoryAccess::kNone) return PROT_NONE;
  return access == MemoryAccess::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
}

}  // namespace

Status CpuAddressSpace::createMemory(size_t device, size_t bytes, std::shared_ptr<PhysicalMemory>& memory) {
  Status full{StatusCode::kOutOfMemory, fmt::format("device {} has no room for {} bytes", device, bytes)};
  DeviceBoard* board = ledger_.board();
  if (bytes > devices_[device] || (board && !board->claim(device, bytes, devices_[device]))) return full;
  bool reserved = ledger_.reserve(bytes);
  if (!reserved) {
    ledger_.trimAll();
    reserved = ledger_.reserve(bytes);
  }
  UniqueFd file;
  Status made = reserved ? createMemoryFile(kFileName + std::to_string(device), bytes, file) : full;
  if (!made.isOk()) {
    if (reserved) ledger_.release(bytes);
    if (board) board->release(device, bytes);
    return made;
  }
  memory = std::make_shared<MemoryFile>(std::move(file), device, bytes, &ledger_);
  return Status::ok();
}

Status CpuAddressSpace::importMemory(int fd, std::shared_ptr<PhysicalMemory>& memory) {
  struct stat status{};
  size_t device = 0;
  const bool ours = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_uid == geteuid() && deviceOf(fd, device) && device < devices_.size() &&
                    devices_[device] != 0;
  if (!ours)
    return {StatusCode::kInvalidValue, fmt::format("descriptor {} is no shared memory of a device", fd)};
  UniqueFd copy(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy) return {StatusCode::kOutOfMemory, fmt::format("cannot keep a descriptor: {}", strerror(errno))};
  memory =
      std::make_shared<MemoryFile>(std::move(copy), device, static_cast<size_t>(status.st_size), nullptr);
  return Status::ok();
}

Status CpuAddressSpace::reserve(size_t bytes, size_t alignment, void* hint, void** start) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (alignment < granularity()) alignment = granularity();
  if (hint && reinterpret_cast<uintptr_t>(hint) % alignment == 0) {
    void* there = mmap(hint, bytes, PROT_NONE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
    if (there == hint) {
      *start = there;
      return Status::ok();
    }
    if (there != MAP_FAILED) munmap(there, bytes);
  }
  void* room = reserveAligned(bytes, alignment);
  if (room == MAP_FAILED) {
    return {StatusCode::kOutOfMemory, fmt::format("no {} addresses are free: {}", bytes, strerror(errno))};
  }
  *start = room;
  return Status::ok();
}

void CpuAddressSpace::release(void* start, size_t bytes) { munmap(start, bytes); }

Status CpuAddressSpace::map(void* at, const PhysicalMemory& memory) {
  const int fd = static_cast<const MemoryFile&>(memory).descriptor();
  void* mapped = mmap(at, memory.bytes(), PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
  if (mapped == MAP_FAILED) {
    return {StatusCode::kOutOfMemory,
            fmt::format("cannot map {} bytes: {}", memory.bytes(), strerror(errno))};
  }
  madvise(at, memory.bytes(), MADV_DONTDUMP);
  madvise(at, memory.bytes(), MADV_DONTFORK);
  devrt::checks::addDeviceRange(at, memory.bytes());
  devrt::checks::allocated(at, memory.bytes(), devrt::checks::MemoryKind::kDevice);
  return Status::ok();
}

void CpuAddressSpace::unmap(void* at, size_t bytes) {
  devrt::checks::released(at);
  devrt::checks::removeDeviceRange(at);
  // The addresses stay reserved.
  mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

Status CpuAddressSpace::setAccess(void* at, size_t bytes, MemoryAccess access) {
  if (ProtectionKeys::all() != 0) return ProtectionKeys::protectCommon(at, bytes, protectionOf(access));
  if (mprotect(at, bytes, protectionOf(access)) == 0) return Status::ok();
  return {StatusCode::kOutOfMemory, fmt::format("cannot change the access: {}", strerror(errno))};
}

}  // namespace musashim::backend::cpu
