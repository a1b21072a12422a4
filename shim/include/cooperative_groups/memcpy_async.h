/* cooperative_groups::memcpy_async and wait. The copy is done by the members when they
 * call it; wait makes it visible to all of them. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define MUSASHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__MUSACC__)

namespace cooperative_groups {

/* `bytes` is a size in bytes whatever T is. */
template <typename Group, typename T>
MUSASHIM_D void memcpy_async(const Group& group, T* destination, const T* source, size_t bytes) {
  char* const to = reinterpret_cast<char*>(destination);
  const char* const from = reinterpret_cast<const char*>(source);
  const size_t step = size_t(group.size()) * 16;
  for (size_t offset = size_t(group.thread_rank()) * 16; offset < bytes; offset += step) {
    const size_t count = bytes - offset < 16 ? bytes - offset : 16;
    __builtin_memcpy(to + offset, from + offset, count);
  }
}
/* Copies as many elements as both layouts have. */
template <typename Group, typename T>
MUSASHIM_D void memcpy_async(const Group& group, T* destination, size_t destination_count, const T* source,
                             size_t source_count) {
  const size_t count = destination_count < source_count ? destination_count : source_count;
  memcpy_async(group, destination, source, count * sizeof(T));
}

template <typename Group>
MUSASHIM_D void wait(const Group& group) {
  group.sync();
}
/* Copies are complete as soon as they were called, so no stage is outstanding. */
template <unsigned int Stages, typename Group>
MUSASHIM_D void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
#endif
