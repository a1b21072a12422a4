/* Names that the headers of musa/ share: scopes, sizes with a known alignment. */
#ifndef MUSASHIM_CRT_THREAD_SCOPE_H
#define MUSASHIM_CRT_THREAD_SCOPE_H

#include "../musa_runtime.h"

/* What libcu++'s headers of these names bring along. */
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "standard_namespace.h"

namespace musa {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/* A size in bytes of memory whose two ends are aligned to Alignment bytes. */
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  MUSASHIM_HD constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  MUSASHIM_HD constexpr operator size_t() const { return value; }
};

}  // namespace musa

#endif
