#include "cpu/memory/reserve.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>

#include "cpu/memory/page.h"

namespace musashim::backend::cpu {

// Maps more and cuts.
void* reserveAligned(size_t bytes, size_t alignment, size_t phase) {
  if (bytes > SIZE_MAX - alignment - kPage) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  const size_t length = (bytes + kPage - 1) & ~(kPage - 1);
  void* room =
      mmap(nullptr, length + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return room;
  const auto address = reinterpret_cast<uintptr_t>(room);
  const size_t head = (phase - address) & (alignment - 1), tail = alignment - head;
  if (head > 0) munmap(room, head);
  munmap(reinterpret_cast<void*>(address + head + length), tail);
  return reinterpret_cast<void*>(address + head);
}

}  // namespace musashim::backend::cpu
