// Memory of the program's own. Nothing has to be done to use it; what is kept is what calls answer.
#include <cstdio>
#include <map>
#include <mutex>

#include "mtshmem/host/runtime.h"

namespace {

using Buffers = std::map<const char*, size_t>;  // begin => bytes

std::mutex gMutex;
Buffers& buffers() {
  static auto* const all = new Buffers;
  return *all;
}

bool overlaps(const char* begin, size_t bytes) {
  const auto next = buffers().lower_bound(begin);
  if (next != buffers().end() && next->first < begin + bytes) return true;
  return next != buffers().begin() && std::prev(next)->first + std::prev(next)->second > begin;
}

}  // namespace

extern "C" {

MTSHMEM_EXPORT int mtshmemx_buffer_register(void* addr, size_t length) {
  if (addr == nullptr || length == 0) return MTSHMEMX_ERROR_INVALID_VALUE;
  const std::lock_guard lock(gMutex);
  const char* const begin = static_cast<const char*>(addr);
  if (overlaps(begin, length)) return MTSHMEMX_ERROR_INVALID_VALUE;
  buffers()[begin] = length;
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_buffer_unregister(void* addr) {
  const std::lock_guard lock(gMutex);
  return buffers().erase(static_cast<const char*>(addr)) > 0 ? MTSHMEMX_SUCCESS
                                                             : MTSHMEMX_ERROR_INVALID_VALUE;
}

MTSHMEM_EXPORT void mtshmemx_buffer_unregister_all() {
  const std::lock_guard lock(gMutex);
  buffers().clear();
}

MTSHMEM_EXPORT void* mtshmemx_buffer_register_symmetric(void* /*addr*/, size_t /*length*/, int /*flags*/) {
  std::fprintf(stderr,
               "mtshmem: memory of the program's own does not become part of the symmetric heap here; "
               "allocate it by mtshmem_malloc()\n");
  return nullptr;
}

MTSHMEM_EXPORT int mtshmemx_buffer_unregister_symmetric(void* /*addr*/, size_t /*length*/) {
  return MTSHMEMX_ERROR_INVALID_VALUE;  // nothing was registered
}

MTSHMEM_EXPORT void* mtshmemx_mc_ptr(mtshmem_team_t /*team*/, const void* /*ptr*/) { return nullptr; }

}  // extern "C"
