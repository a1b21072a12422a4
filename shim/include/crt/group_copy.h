/* The copies of musa::memcpy_async. The calling threads make them at once, so what waits
 * for a copy (a barrier, a pipeline) waits for its threads alone. */
#ifndef MUSASHIM_CRT_GROUP_COPY_H
#define MUSASHIM_CRT_GROUP_COPY_H

#include "thread_scope.h"

#if defined(__MUSACC__)

namespace musa {
namespace details {

/* Each member of the group copies every size()-th piece of 16 bytes. */
template <typename Group>
MUSASHIM_D void copyByGroup(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t step = size_t(group.size()) * 16;
  for (size_t offset = size_t(group.thread_rank()) * 16; offset < bytes; offset += step) {
    const size_t count = bytes - offset < 16 ? bytes - offset : 16;
    __builtin_memcpy(static_cast<char*>(to) + offset, static_cast<const char*>(from) + offset, count);
  }
}

}  // namespace details
}  // namespace musa

#endif
#endif
