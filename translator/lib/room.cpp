#include "translator/lib/room.h"

#include <sys/mman.h>

#include <new>

namespace musashim::translator {

void* allocateRoom(std::size_t& bytes) {
  constexpr std::size_t kPage = std::size_t{2} << 20, kSmall = kPage / 4;
  const bool small = bytes <= kSmall;
  if (!small) bytes = (bytes + kPage - 1) / kPage * kPage;
  void* const room = small ? std::malloc(bytes) : std::aligned_alloc(kPage, bytes);
  if (!room) throw std::bad_alloc();
  if (!small) madvise(room, bytes, MADV_HUGEPAGE);  // a wish
  return room;
}

}  // namespace musashim::translator
