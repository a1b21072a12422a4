#include "cpu/memory/protection_keys.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace musashim::backend::cpu {

namespace {

constexpr size_t kMostDeviceKeys = 12;
constexpr KeyBits kBits = PKEY_DISABLE_ACCESS | PKEY_DISABLE_WRITE;

// Written once, before `all_` is.
struct Keys {
  int common = 0;
  std::array<int, kMostDeviceKeys> device{};
  size_t count = 0;  // of `device`; 0: devices have the common one
};
Keys keys;

KeyBits bitsOf(int key) { return kBits << (2 * key); }

int keyOf(size_t device) { return keys.count == 0 ? keys.common : keys.device[device % keys.count]; }

Status protect(void* start, size_t bytes, int protection, int key) {
  if (ProtectionKeys::all() == 0 || pkey_mprotect(start, bytes, protection, key) == 0) return Status::ok();
  return {StatusCode::kOutOfMemory, fmt::format("cannot protect {} bytes: {}", bytes, strerror(errno))};
}

}  // namespace

Status ProtectionKeys::create(size_t devices) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (all() != 0 || devices == 0) return Status::ok();
  const int common = pkey_alloc(0, PKEY_DISABLE_ACCESS);
  if (common < 0) {
    return {StatusCode::kNotSupported,
            fmt::format("this machine has no memory protection keys ({})", strerror(errno))};
  }
  keys.common = common;
  KeyBits bits = bitsOf(common);
  for (; keys.count < std::min(devices, kMostDeviceKeys); ++keys.count) {
    const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (key < 0) break;
    keys.device[keys.count] = key;
    bits |= bitsOf(key);
  }
  all_.store(bits, std::memory_order_release);
  return Status::ok();
}

KeyBits ProtectionKeys::ofDevice(size_t device) {
  return all() == 0 ? 0 : bitsOf(keyOf(device)) | bitsOf(keys.common);
}

Status ProtectionKeys::protectOf(size_t device, void* start, size_t bytes, int protection) {
  return protect(start, bytes, protection, all() == 0 ? 0 : keyOf(device));
}

Status ProtectionKeys::protectCommon(void* start, size_t bytes, int protection) {
  return protect(start, bytes, protection, keys.common);
}

void ProtectionKeys::closeThread() { (void)openToThread(0); }

}  // namespace musashim::backend::cpu
