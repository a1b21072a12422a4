/* What a checked kernel does itself before an access or a wait: the cases that most are, without a call. The
 * check_instrument pass calls these functions, with constants for all but the pointer and the value; once the
 * program's own functions are inlined and simplified, so are they (check_inline.cpp). What they cannot
 * answer, the device runtime does (musa_check_abi.h). */
#ifndef MUSASHIM_MCC_CHECK_INLINE_H
#define MUSASHIM_MCC_CHECK_INLINE_H
#pragma GCC system_header

#define MUSA_CHECK_CALL __device__
#include "musa_check_abi.h"

/* The pass finds them by name, before anything refers to them. */
#define MUSA_CHECK_FUNCTION(attributes) \
  extern "C" __device__ inline          \
      __attribute__((used, attributes, nodebug, nothrow, disable_sanitizer_instrumentation))
#define MUSA_CHECK_PART MUSA_CHECK_FUNCTION(always_inline)
#define MUSA_CHECK_INLINE MUSA_CHECK_FUNCTION(noinline)

MUSA_CHECK_PART unsigned __musa_checked_thread(void) {
  return __musa_thread_idx_x() +
         __musa_block_dim_x() * (__musa_thread_idx_y() + __musa_block_dim_y() * __musa_thread_idx_z());
}

/* A word's, two words', four words' bytes of the map of what has been written. */
typedef uint16_t __attribute__((may_alias)) MusaWrittenTwo;
typedef uint32_t __attribute__((may_alias)) MusaWrittenFour;

/* Whether all `bytes` from `offset` on have been written; false where it takes more than one look. */
MUSA_CHECK_PART bool __musa_checked_written(const uint8_t* written, uint64_t offset, unsigned bytes) {
  const uint8_t* at = written + offset / 4;
  switch (bytes) {
    case 1:
    case 2: {
      const unsigned wanted = ((1u << bytes) - 1) << offset % 4;
      return (*at & wanted) == wanted;
    }
    case 4:
      return *at == MUSA_CHECK_WHOLE_WORD;
    case 8:
      return *reinterpret_cast<const MusaWrittenTwo*>(at) == 0x0f0f;
    case 16:
      return *reinterpret_cast<const MusaWrittenFour*>(at) == 0x0f0f0f0f;
    default:
      return false;
  }
}

/* Whole words are marked without a look; of parts of one, other threads write the rest. */
MUSA_CHECK_PART bool __musa_checked_mark(uint8_t* written, uint64_t offset, unsigned bytes) {
  uint8_t* at = written + offset / 4;
  switch (bytes) {
    case 4:
      *at = MUSA_CHECK_WHOLE_WORD;
      return true;
    case 8:
      *reinterpret_cast<MusaWrittenTwo*>(at) = 0x0f0f;
      return true;
    case 16:
      *reinterpret_cast<MusaWrittenFour*>(at) = 0x0f0f0f0f;
      return true;
    default:
      return __musa_checked_written(written, offset, bytes);
  }
}

/* Memory that is not known to be shared. `kind` is the site's; `init`: reads are of written memory only. */
MUSA_CHECK_INLINE void* __musa_checked_access(const MusaCheckEntry* entries, const uint64_t* generation,
                                              void* address, const MusaCheckSite* site, unsigned slot,
                                              unsigned bytes, unsigned align, unsigned kind, unsigned init,
                                              uint64_t value, unsigned known, unsigned thread) {
  const MusaCheckEntry& entry = entries[slot];
  const uint64_t number = reinterpret_cast<uint64_t>(address), offset = number - entry.base;
  bool sound = (number & (align - 1)) == 0 & offset < entry.bytes & offset + bytes <= entry.bytes &
               entry.generation == *generation;
  if (init && __builtin_expect(sound, 1)) {
    if (uint8_t* written = entry.written) {
      sound = kind == MUSA_SITE_WRITE ? __musa_checked_mark(written, offset, bytes)
                                      : __musa_checked_written(written, offset, bytes);
    }
  }
  if (__builtin_expect(sound, 1)) return address;
  return __musa_check_access(address, site, slot, thread, value, known);
}

/* `offset` in a variable at `base`; `last`: the last one at which the access ends within the variable. */
MUSA_CHECK_INLINE void* __musa_checked_bounds(uint64_t offset, uint64_t last, void* address, const void* base,
                                              const MusaCheckSite* site, unsigned thread) {
  if (__builtin_expect(offset <= last, 1)) return address;
  return __musa_check_bounds(address, base, site, thread);
}

/* The same where races alone are looked for: those in shared memory. */
MUSA_CHECK_INLINE void* __musa_checked_generic(uint64_t shared, uint64_t sharedBytes, void* address,
                                               const MusaCheckSite* site, unsigned slot, uint64_t value,
                                               unsigned known, unsigned thread) {
  if (__builtin_expect(reinterpret_cast<uint64_t>(address) - shared >= sharedBytes, 1)) return address;
  return __musa_check_access(address, site, slot, thread, value, known);
}

/* Shared memory of a size that only the launch knows, or that may not be aligned. */
MUSA_CHECK_INLINE void* __musa_checked_shared(uint64_t begin, uint64_t size, void* address,
                                              const MusaCheckSite* site, unsigned bytes, unsigned align,
                                              unsigned thread) {
  const uint64_t number = reinterpret_cast<uint64_t>(address), offset = number - begin;
  const bool sound = (number & (align - 1)) == 0 & offset < size & offset + bytes <= size;
  if (__builtin_expect(sound, 1)) return address;
  return __musa_check_shared(address, site, thread);
}

/* Reads and writes of whole words of shared memory; `aligned`: known to be. The shadow is volatile because
 * threads of a loop over threads do depend on each other there. */
MUSA_CHECK_PART void __musa_checked_words(const MusaCheckState* state, uint64_t shared, uint64_t sharedBytes,
                                          volatile uint64_t* shadow, uint64_t pitch, const uint32_t* clocks,
                                          const void* address, const MusaCheckSite* site, unsigned words,
                                          unsigned aligned, unsigned kind, uint64_t value, unsigned known,
                                          unsigned thread) {
  const uint64_t offset = reinterpret_cast<uint64_t>(address) - shared;
  const bool inside = words == 1 || offset + words * 4 <= sharedBytes;
  bool sound = offset < sharedBytes && inside && (aligned || offset % 4 == 0);
  const uint64_t mine = uint64_t{state->epoch} << 32 | (thread & 0xffff);
  volatile uint64_t* const at = shadow + offset / 4;
  if (__builtin_expect(sound, 1)) {
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
      sound &= !musaCheckClash(at[MUSA_CHECK_LAST_WRITE * pitch + i], mine);
      if (kind == MUSA_SITE_WRITE) {
        sound &= !musaCheckClash(at[MUSA_CHECK_FIRST_READ * pitch + i], mine) &
                 !musaCheckClash(at[MUSA_CHECK_LAST_READ * pitch + i], mine);
      }
    }
  }
  if (__builtin_expect(!sound, 0)) {
    __musa_check_race(address, site, thread, value, known);
    return;
  }
  const uint64_t who = mine | uint64_t{MUSA_CHECK_WHOLE_WORD} << 16;
  const uint64_t what = clocks[thread] | reinterpret_cast<uint64_t>(site) << 32;
#pragma unroll
  for (unsigned i = 0; i < words; ++i) {
    const uint64_t sort = kind == MUSA_SITE_WRITE ? MUSA_CHECK_LAST_WRITE
                          : musaCheckClash(at[MUSA_CHECK_FIRST_READ * pitch + i], mine)
                              ? MUSA_CHECK_LAST_READ
                              : MUSA_CHECK_FIRST_READ;
    at[sort * pitch + i] = who;
    at[(MUSA_CHECK_SORTS + sort) * pitch + i] = what;
  }
}

/* Of accesses to one, two and four words: race, to shared memory; near, __musa_checked_access of what has
 * turned out to be in shared memory. The number is no parameter, as the loops over the words must be gone
 * before kernels are made. */
#define MUSA_CHECK_WORDS(n)                                                                                  \
  MUSA_CHECK_INLINE void __musa_checked_race##n(                                                             \
      const MusaCheckState* state, uint64_t shared, uint64_t sharedBytes, volatile uint64_t* shadow,         \
      uint64_t pitch, const uint32_t* clocks, const void* address, const MusaCheckSite* site,                \
      unsigned aligned, unsigned kind, uint64_t value, unsigned known, unsigned thread) {                    \
    __musa_checked_words(state, shared, sharedBytes, shadow, pitch, clocks, address, site, n, aligned, kind, \
                         value, known, thread);                                                              \
  }                                                                                                          \
  MUSA_CHECK_INLINE void* __musa_checked_near##n(                                                            \
      const MusaCheckState* state, uint64_t shared, uint64_t sharedBytes, volatile uint64_t* shadow,         \
      uint64_t pitch, const uint32_t* clocks, void* address, const MusaCheckSite* site, unsigned slot,       \
      unsigned align, unsigned kind, uint64_t value, unsigned known, unsigned thread) {                      \
    const uint64_t number = reinterpret_cast<uint64_t>(address), offset = number - shared;                   \
    const bool sound = (number & (align - 1)) == 0 && offset < sharedBytes && offset + n * 4 <= sharedBytes; \
    if (__builtin_expect(!sound, 0)) return __musa_check_access(address, site, slot, thread, value, known);  \
    __musa_checked_words(state, shared, sharedBytes, shadow, pitch, clocks, address, site, n, align >= 4,    \
                         kind, value, known, thread);                                                        \
    return address;                                                                                          \
  }
MUSA_CHECK_WORDS(1)
MUSA_CHECK_WORDS(2)
MUSA_CHECK_WORDS(4)
#undef MUSA_CHECK_WORDS

MUSA_CHECK_INLINE void __musa_checked_barrier(MusaCheckState* state, const MusaCheckSite* site,
                                              unsigned thread) {
  if (state->owner == nullptr) return;
  state->places[thread] = site;
  musaCheckArrived(state, site, 1);
}

/* Of a warp operation that `count` threads come to together, from `first` on: whether they are whole groups
 * of those that it is about, all named by the mask. Then there is no more to it, and nobody need know that
 * they were there. */
MUSA_CHECK_INLINE bool __musa_checked_warps(const MusaCheckState* state, const MusaCheckSite* site,
                                            unsigned mask, unsigned first, uint64_t count) {
  const bool isSync = site->kind == MUSA_SITE_SYNCWARP;
  const bool orders = isSync && state->words != nullptr;
  const unsigned group = isSync ? state->warp_size : 32;
  return mask == ~0u && ((first | count) & (group - 1)) == 0 && state->meetings == 0 && !orders;
}

/* The thread ends. */
MUSA_CHECK_INLINE void __musa_checked_leave(MusaCheckState* state, unsigned thread) {
  if (state->owner == nullptr) return;
  state->places[thread] = state->ended;
  musaCheckEnded(state, 1);
}

#endif
