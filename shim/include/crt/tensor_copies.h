/* mp_31's copies between shared memory and tensors or blocks of device memory, and the barriers that tell
 * when they are done, by the names of the vendor's compiler: __musa_tme_* and __musa_async_*. Names and
 * arguments are data (shim/api/vendor_instructions.yml).
 *
 * They are instructions of a warp: lanes that call one together make one copy, and come once to a barrier. A
 * copy is done when its instruction is. It is device code like a program's own, so checked code follows it.
 */
#ifndef MUSASHIM_CRT_TENSOR_COPIES_H
#define MUSASHIM_CRT_TENSOR_COPIES_H

#include "crt/matrix_layout.h"
#include "lane_meeting.h"
#include "load_store.h"
#include "pass_architecture.h"
#include "tensor_layout.h"

extern "C" {
MUSASHIM_RUNTIME void __musa_copy_barrier_set(uint32_t id, uint32_t warps, uint32_t phase, uint32_t threads);
MUSASHIM_RUNTIME void __musa_copy_barrier_expect(uint32_t id, uint32_t bytes);
MUSASHIM_RUNTIME void __musa_copy_barrier_complete(uint32_t id, uint32_t bytes);
MUSASHIM_RUNTIME void __musa_copy_barrier_arrive(uint32_t id);
MUSASHIM_RUNTIME uint32_t __musa_copy_barrier_phase(uint32_t id);
}

typedef __attribute__((address_space(3))) void* musashimSharedAddress;
typedef const __attribute__((address_space(1))) void* musashimGlobalAddress;

/* Whether this lane is the first of those that are here. */
MUSASHIM_D bool musashimIsFirst(unsigned int mask) {
  return musashimLane() == (unsigned int)__builtin_ctz(mask);
}

/* -- Barriers --------------------------------------------------------------------------------- */
template <int kArch>
MUSASHIM_D void musashimAsyncRecord(unsigned int count) MUSASHIM_ONLY_ON(310, "mp_31")
    MUSASHIM_REFUSED_IF(count > MUSA_COPY_BARRIERS, "a block has 64 barriers of copies") {
  (void)count;
}
template <int kArch>
MUSASHIM_D void musashimAsyncSet(unsigned int id, unsigned int warps, unsigned int phase = 0)
    MUSASHIM_ONLY_ON(310, "mp_31") {
  if (musashimIsFirst(__musa_activemask()))
    __musa_copy_barrier_set(id, warps, phase, blockDim.x * blockDim.y * blockDim.z);
}
template <int kArch>
MUSASHIM_D void musashimAsyncExpect(unsigned int id, unsigned int bytes) MUSASHIM_ONLY_ON(310, "mp_31") {
  if (musashimIsFirst(__musa_activemask())) __musa_copy_barrier_expect(id, bytes);
}
template <int kArch>
MUSASHIM_D unsigned int musashimAsyncArrive(unsigned int id) MUSASHIM_ONLY_ON(310, "mp_31") {
  const unsigned int phase =
      __musa_copy_barrier_phase(id); /* which no warp can end before this one has come */
  if (musashimIsFirst(__musa_activemask())) __musa_copy_barrier_arrive(id);
  return phase;
}
template <int kArch>
MUSASHIM_D unsigned int musashimAsyncArriveExpecting(unsigned int id, unsigned int bytes)
    MUSASHIM_ONLY_ON(310, "mp_31") {
  musashimAsyncExpect<kArch>(id, bytes);
  return musashimAsyncArrive<kArch>(id);
}
template <int kArch>
MUSASHIM_D void musashimAsyncWait(unsigned int id, unsigned int phase) MUSASHIM_ONLY_ON(310, "mp_31") {
  (void)__musa_barrier_wait(MUSA_BARRIER_OF_COPIES + id, phase & 1u);
}

/* -- Swizzle ------------------------------------------------------------------------------------ */
/* `granule`: 0 none, else 8 << n bytes; in each line of 128 << `line` bytes they change places, by xor with
 * the line's number among those of `stride`, 32 << n bytes of granules. */
struct musashimSwizzle {
  unsigned int granule, stride, line;
  MUSASHIM_D unsigned int place(unsigned int address) const {
    if (granule == 0u) return address;
    const unsigned int shift = 3u + granule, granules = (32u << stride) >> shift;
    return address ^ (address >> (7u + line)) % granules << shift;
  }
};

/* -- Tiles -------------------------------------------------------------------------------------- */
struct musashimTile {
  int dims[MUSASHIM_TENSOR_RANK], from[MUSASHIM_TENSOR_RANK];
};
MUSASHIM_D int musashimPart(int value, int) { return value; }
template <typename Vector>
MUSASHIM_D int musashimPart(Vector value, int i) {
  return value[i];
}
template <int kRank, typename Vector>
MUSASHIM_D musashimTile musashimTileOf(Vector dims, Vector from) {
  musashimTile tile = {{1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}};
  for (int i = 0; i < kRank; ++i) {
    tile.dims[i] = musashimPart(dims, i);
    tile.from[i] = musashimPart(from, i);
  }
  return tile;
}

/* A row of the tile: elements from `begin` to `end` are within the tensor. */
template <bool kLoads, typename T>
inline __device__ void musashimCopyRow(char* base, unsigned int shared, T* row, int begin, int end, int count,
                                       T fill, musashimSwizzle swizzle) {
  if (kLoads) {
    for (int i = 0; i < begin; ++i) *(T*)(base + swizzle.place(shared + i * unsigned(sizeof(T)))) = fill;
  }
  if (swizzle.granule == 0u) {
    T* const own = (T*)(base + shared);
    if (kLoads) {
      for (int i = begin; i < end; ++i) own[i] = row[i];
    } else {
      for (int i = begin; i < end; ++i) row[i] = own[i];
    }
  } else {
    for (int i = begin; i < end; ++i) {
      T* const own = (T*)(base + swizzle.place(shared + i * unsigned(sizeof(T))));
      if (kLoads)
        *own = row[i];
      else
        row[i] = *own;
    }
  }
  if (kLoads) {
    for (int i = end; i < count; ++i) *(T*)(base + swizzle.place(shared + i * unsigned(sizeof(T)))) = fill;
  }
}

template <bool kLoads, typename T>
inline __device__ void musashimCopyTile(const musashimTensor* tensor, unsigned int shared,
                                        const musashimTile& tile, musashimSwizzle swizzle) {
  char* const base = __musa_shared_base();
  const long long size = (long long)tensor->dims[0], first = tile.from[0];
  const int count = tile.dims[0];
  const int begin = first >= 0 ? 0 : first < -count ? count : int(-first);
  const long long room = size - first;
  const int end = room >= count ? count : room > begin ? int(room) : begin;
  for (int d = 0; d < tile.dims[4]; ++d) {
    for (int c = 0; c < tile.dims[3]; ++c) {
      for (int b = 0; b < tile.dims[2]; ++b) {
        for (int a = 0; a < tile.dims[1]; ++a) {
          const long long at[] = {0, tile.from[1] + (long long)a, tile.from[2] + (long long)b,
                                  tile.from[3] + (long long)c, tile.from[4] + (long long)d};
          bool inside = true;
          unsigned long long address = tensor->address + (unsigned long long)(first * (long long)sizeof(T));
          for (int i = 1; i < MUSASHIM_TENSOR_RANK; ++i) {
            inside = inside && at[i] >= 0 && at[i] < (long long)tensor->dims[i];
            address += (unsigned long long)at[i] * tensor->strides[i];
          }
          musashimCopyRow<kLoads>(base, shared, (T*)address, inside ? begin : 0, inside ? end : 0, count,
                                  (T)tensor->fill, swizzle);
          shared += unsigned(count) * unsigned(sizeof(T));
        }
      }
    }
  }
}

/* The bytes of the tile. A call: the loops are long, and what they know of the tensor is needed nowhere else.
 */
template <bool kLoads>
inline __device__ __attribute__((noinline)) unsigned int musashimMoveTile(uint64_t descriptor,
                                                                          unsigned int shared,
                                                                          const musashimTile& tile,
                                                                          musashimSwizzle swizzle) {
  const musashimTensor* const tensor = (const musashimTensor*)descriptor;
  if (tensor->magic != MUSASHIM_TENSOR_MAGIC) {
    printf("__musa_tme_*: at %p is no descriptor that muTensorDescriptorEncode() has written\n",
           (const void*)tensor);
    __musa_trap();
  }
  const unsigned int bytes = tensor->element_bytes;
  if (bytes == 1u)
    musashimCopyTile<kLoads, unsigned char>(tensor, shared, tile, swizzle);
  else if (bytes == 2u)
    musashimCopyTile<kLoads, unsigned short>(tensor, shared, tile, swizzle);
  else if (bytes == 4u)
    musashimCopyTile<kLoads, unsigned int>(tensor, shared, tile, swizzle);
  else
    musashimCopyTile<kLoads, unsigned long long>(tensor, shared, tile, swizzle);
  unsigned int elements = 1;
  for (int i = 0; i < MUSASHIM_TENSOR_RANK; ++i) elements *= unsigned(tile.dims[i]);
  return elements * bytes;
}

#define MUSASHIM_SWIZZLES(granule, stride, line)                                                     \
  MUSASHIM_REFUSED_IF(                                                                               \
      (granule) < 0 || (granule) > 3 || (stride) < 0 || (stride) > 3 || ((line) & ~1) != 0 ||        \
          ((granule) != 0 && (granule) > (stride) + 1),                                              \
      "granules are none, or 16, 32 or 64 bytes (1 to 3), less than their stride of 32, 64, 128 or " \
      "256 bytes (0 to 3), in lines of 128 or 256 bytes (0, 1)")

template <int kArch, int kRank, typename Vector>
MUSASHIM_D void musashimLoadTile(unsigned int barrier, musashimSharedAddress shared, uint64_t descriptor,
                                 Vector dims, Vector from, int granule, int stride, int line, int prefetch,
                                 int inner, int outer, int policy) MUSASHIM_ONLY_ON(310, "mp_31")
    MUSASHIM_SWIZZLES(granule, stride, line) {
  (void)prefetch, (void)inner, (void)outer, (void)policy;
  if (!musashimIsFirst(__musa_activemask())) return;
  const musashimSwizzle swizzle = {(unsigned)granule, (unsigned)stride, (unsigned)line};
  __musa_copy_barrier_complete(barrier, musashimMoveTile<true>(descriptor, (unsigned)(size_t)shared,
                                                               musashimTileOf<kRank>(dims, from), swizzle));
}
template <int kArch, int kRank, typename Vector>
MUSASHIM_D void musashimStoreTile(musashimSharedAddress shared, uint64_t descriptor, Vector dims, Vector from,
                                  int granule, int stride, int line, int inner, int outer, int policy)
    MUSASHIM_ONLY_ON(310, "mp_31") MUSASHIM_SWIZZLES(granule, stride, line) {
  (void)inner, (void)outer, (void)policy;
  if (!musashimIsFirst(__musa_activemask())) return;
  const musashimSwizzle swizzle = {(unsigned)granule, (unsigned)stride, (unsigned)line};
  (void)musashimMoveTile<false>(descriptor, (unsigned)(size_t)shared, musashimTileOf<kRank>(dims, from),
                                swizzle);
}
template <int kArch, int kRank, typename Vector>
MUSASHIM_D void musashimPrefetchTile(uint64_t descriptor, Vector dims, Vector from)
    MUSASHIM_ONLY_ON(310, "mp_31") {
  (void)descriptor, (void)dims, (void)from;
}

/* -- Blocks of bytes ------------------------------------------------------------------------------ */
template <int kArch>
MUSASHIM_D void musashimLoadBlock(musashimSharedAddress shared, musashimGlobalAddress from,
                                  unsigned int bytes, unsigned int barrier, int granule, int stride, int line,
                                  int prefetch, int inner, int outer, int policy)
    MUSASHIM_ONLY_ON(310, "mp_31") MUSASHIM_SWIZZLES(granule, stride, line) {
  (void)prefetch, (void)inner, (void)outer, (void)policy;
  if (!musashimIsFirst(__musa_activemask())) return;
  const musashimSwizzle swizzle = {(unsigned)granule, (unsigned)stride, (unsigned)line};
  musashimCopyRow<true>(__musa_shared_base(), (unsigned)(size_t)shared, (unsigned char*)(size_t)from, 0,
                        int(bytes), int(bytes), (unsigned char)0, swizzle);
  __musa_copy_barrier_complete(barrier, bytes);
}
template <int kArch>
MUSASHIM_D void musashimStoreBlock(musashimSharedAddress shared, musashimGlobalAddress to, unsigned int bytes,
                                   int granule, int stride, int line, int inner, int outer, int policy)
    MUSASHIM_ONLY_ON(310, "mp_31") MUSASHIM_SWIZZLES(granule, stride, line) {
  (void)inner, (void)outer, (void)policy;
  if (!musashimIsFirst(__musa_activemask())) return;
  const musashimSwizzle swizzle = {(unsigned)granule, (unsigned)stride, (unsigned)line};
  musashimCopyRow<false>(__musa_shared_base(), (unsigned)(size_t)shared, (unsigned char*)(size_t)to, 0,
                         int(bytes), int(bytes), (unsigned char)0, swizzle);
}

/* Stores are done when their instructions are; waiting keeps a warp's lanes together. */
template <int kArch>
MUSASHIM_D void musashimCommitStores() MUSASHIM_ONLY_ON(310, "mp_31") {}
template <int kArch>
MUSASHIM_D void musashimAwaitStores() MUSASHIM_ONLY_ON(310, "mp_31") {
  (void)__musa_ballot(__musa_activemask(), 1);
}
#undef MUSASHIM_SWIZZLES

#endif
