// rocSHMEM's names for MTSHMEM's, for its public functional tests. A context is that of a team: MTSHMEM's
// order and completion are those of the PE, so there is no more in it.
#pragma once

#include <hip/hip_runtime.h>
#include <mtshmem.h>
#include <mtshmemx.h>

namespace rocshmem {

enum ROCSHMEM_OP {
  ROCSHMEM_SUM,
  ROCSHMEM_MAX,
  ROCSHMEM_MIN,
  ROCSHMEM_PROD,
  ROCSHMEM_AND,
  ROCSHMEM_OR,
  ROCSHMEM_XOR
};
enum { ROCSHMEM_SIGNAL_SET = MTSHMEM_SIGNAL_SET, ROCSHMEM_SIGNAL_ADD = MTSHMEM_SIGNAL_ADD };
enum { ROCSHMEM_CMP_EQ, ROCSHMEM_CMP_NE, ROCSHMEM_CMP_GT, ROCSHMEM_CMP_LE, ROCSHMEM_CMP_LT, ROCSHMEM_CMP_GE };
enum {
  ROCSHMEM_THREAD_SINGLE,
  ROCSHMEM_THREAD_FUNNELED,
  ROCSHMEM_THREAD_SERIALIZED,
  ROCSHMEM_THREAD_MULTIPLE
};
enum { ROCSHMEM_CTX_WG_PRIVATE = 8 };
constexpr int ROCSHMEM_SUCCESS = 0;

// A pointer, as in rocSHMEM, whose tests compare and print it: a team's number, plus 1.
using rocshmem_team_t = struct rocshmem_team*;
#define ROCSHMEM_TEAM_INVALID (static_cast<rocshmem::rocshmem_team_t>(nullptr))
#define ROCSHMEM_TEAM_WORLD (rocshmem::teamOf(MTSHMEM_TEAM_WORLD))
__host__ __device__ inline rocshmem_team_t teamOf(mtshmem_team_t team) {
  return reinterpret_cast<rocshmem_team_t>(static_cast<intptr_t>(team) + 1);
}
__host__ __device__ inline mtshmem_team_t numberOf(rocshmem_team_t team) {
  return static_cast<mtshmem_team_t>(reinterpret_cast<intptr_t>(team) - 1);
}
struct rocshmem_team_config_t;
struct rocshmem_ctx_t {
  void* ctx_opaque;
  void* team_opaque;
};

// --- host -------------------------------------------------------------------------------------------------
// Its tests ask for their number before init.
inline int rocshmem_my_pe() {
  if (mtshmemx_init_status() == MTSHMEM_STATUS_NOT_INITIALIZED) mtshmem_init();
  return mtshmem_my_pe();
}
inline int rocshmem_n_pes() { return mtshmem_n_pes(); }
inline void rocshmem_init() { mtshmem_init(); }
inline void rocshmem_finalize() { mtshmem_finalize(); }
inline void rocshmem_global_exit(int status) { mtshmem_global_exit(status); }
inline void* rocshmem_malloc(size_t bytes) { return mtshmem_malloc(bytes); }
inline void rocshmem_free(void* place) { mtshmem_free(place); }
inline int rocshmem_team_n_pes(rocshmem_team_t team) { return mtshmem_team_n_pes(numberOf(team)); }
inline int rocshmem_team_my_pe(rocshmem_team_t team) { return mtshmem_team_my_pe(numberOf(team)); }
inline int rocshmem_team_split_strided(rocshmem_team_t parent, int start, int stride, int size,
                                       const rocshmem_team_config_t*, long, rocshmem_team_t* made) {
  mtshmem_team_t team = MTSHMEM_TEAM_INVALID;
  const int status = mtshmem_team_split_strided(numberOf(parent), start, stride, size, nullptr, 0, &team);
  *made = teamOf(team);
  return status;
}
inline void rocshmem_team_destroy(rocshmem_team_t team) { mtshmem_team_destroy(numberOf(team)); }

// --- kernels ----------------------------------------------------------------------------------------------
#define ROCSHMEM_FN __device__ inline
ROCSHMEM_FN void rocshmem_wg_init() {}
ROCSHMEM_FN void rocshmem_wg_init_thread(int, int* provided) { *provided = ROCSHMEM_THREAD_MULTIPLE; }
ROCSHMEM_FN void rocshmem_wg_finalize() {}
ROCSHMEM_FN int rocshmem_wg_team_create_ctx(rocshmem_team_t team, long, rocshmem_ctx_t* ctx) {
  __syncthreads();
  if (threadIdx.x == 0) *ctx = {nullptr, team};
  __syncthreads();
  return ROCSHMEM_SUCCESS;
}
ROCSHMEM_FN int rocshmem_wg_ctx_create(long options, rocshmem_ctx_t* ctx) {
  return rocshmem_wg_team_create_ctx(ROCSHMEM_TEAM_WORLD, options, ctx);
}
ROCSHMEM_FN void rocshmem_wg_ctx_destroy(rocshmem_ctx_t*) { __syncthreads(); }
ROCSHMEM_FN mtshmem_team_t teamOfContext(rocshmem_ctx_t ctx) {
  return numberOf(static_cast<rocshmem_team_t>(ctx.team_opaque));
}
// PEs are numbered within the context's team.
ROCSHMEM_FN int worldOf(rocshmem_ctx_t ctx, int pe) {
  return mtshmem_team_translate_pe(teamOfContext(ctx), pe, MTSHMEM_TEAM_WORLD);
}
ROCSHMEM_FN int rocshmem_ctx_n_pes(rocshmem_ctx_t ctx) { return mtshmem_team_n_pes(teamOfContext(ctx)); }
ROCSHMEM_FN int rocshmem_ctx_my_pe(rocshmem_ctx_t ctx) { return mtshmem_team_my_pe(teamOfContext(ctx)); }
ROCSHMEM_FN void rocshmem_ctx_quiet(rocshmem_ctx_t) { mtshmem_quiet(); }
ROCSHMEM_FN void rocshmem_ctx_fence(rocshmem_ctx_t) { mtshmem_fence(); }
ROCSHMEM_FN void* rocshmem_ptr(const void* place, int pe) { return mtshmem_ptr(place, pe); }
ROCSHMEM_FN void rocshmem_ctx_wg_barrier_all(rocshmem_ctx_t) { mtshmemx_barrier_all_block(); }
ROCSHMEM_FN void rocshmem_ctx_wg_sync_all(rocshmem_ctx_t) { mtshmemx_sync_all_block(); }
ROCSHMEM_FN void rocshmem_ctx_wg_team_sync(rocshmem_ctx_t, rocshmem_team_t team) {
  mtshmemx_team_sync_block(numberOf(team));
}
ROCSHMEM_FN void rocshmem_int_wait_until(int* at, int comparison, int value) {
  mtshmem_int_wait_until(at, comparison, value);
}
ROCSHMEM_FN void rocshmem_int_wait_until_all(int* at, size_t count, const int* status, int comparison,
                                             int value) {
  mtshmem_int_wait_until_all(at, count, status, comparison, value);
}

// Copies: by a thread, a wave, a work group.
#define ROCSHMEM_COPIES(OPERATION, SUFFIX, OURS)                                                    \
  ROCSHMEM_FN void rocshmem_ctx_##OPERATION##SUFFIX(rocshmem_ctx_t ctx, void* to, const void* from, \
                                                    size_t bytes, int pe) {                         \
    OURS(to, from, bytes, worldOf(ctx, pe));                                                        \
  }
#define ROCSHMEM_SCOPES(OPERATION)                               \
  ROCSHMEM_COPIES(OPERATION, , mtshmem_##OPERATION)              \
  ROCSHMEM_COPIES(OPERATION, _wave, mtshmemx_##OPERATION##_warp) \
  ROCSHMEM_COPIES(OPERATION, _wg, mtshmemx_##OPERATION##_block)
ROCSHMEM_SCOPES(putmem)
ROCSHMEM_SCOPES(putmem_nbi)
ROCSHMEM_SCOPES(getmem)
ROCSHMEM_SCOPES(getmem_nbi)
#define ROCSHMEM_SIGNALS(OPERATION, SUFFIX, OURS)                                                          \
  ROCSHMEM_FN void rocshmem_ctx_##OPERATION##SUFFIX(rocshmem_ctx_t ctx, void* to, const void* from,        \
                                                    size_t bytes, uint64_t* flag, uint64_t value, int how, \
                                                    int pe) {                                              \
    OURS(to, from, bytes, flag, value, how, worldOf(ctx, pe));                                             \
  }
#define ROCSHMEM_SIGNAL_SCOPES(OPERATION)                         \
  ROCSHMEM_SIGNALS(OPERATION, , mtshmem_##OPERATION)              \
  ROCSHMEM_SIGNALS(OPERATION, _wave, mtshmemx_##OPERATION##_warp) \
  ROCSHMEM_SIGNALS(OPERATION, _wg, mtshmemx_##OPERATION##_block)
ROCSHMEM_SIGNAL_SCOPES(putmem_signal)
ROCSHMEM_SIGNAL_SCOPES(putmem_signal_nbi)
ROCSHMEM_FN uint64_t rocshmem_signal_fetch(uint64_t* flag) { return mtshmem_signal_fetch(flag); }
// To all threads of the wave, or of the work group.
ROCSHMEM_FN uint64_t rocshmem_signal_fetch_wave(uint64_t* flag) { return mtshmem_signal_fetch(flag); }
ROCSHMEM_FN uint64_t rocshmem_signal_fetch_wg(uint64_t* flag) { return mtshmem_signal_fetch(flag); }

// rocSHMEM's broadcast leaves the root's own target as it is; MTSHMEM's writes it, too.
#define ROCSHMEM_TYPE(T, N)                                                                                \
  ROCSHMEM_FN void rocshmem_ctx_##N##_p(rocshmem_ctx_t ctx, T* to, T value, int pe) {                      \
    mtshmem_##N##_p(to, value, worldOf(ctx, pe));                                                          \
  }                                                                                                        \
  ROCSHMEM_FN T rocshmem_ctx_##N##_g(rocshmem_ctx_t ctx, const T* from, int pe) {                          \
    return mtshmem_##N##_g(from, worldOf(ctx, pe));                                                        \
  }                                                                                                        \
  ROCSHMEM_FN void rocshmem_ctx_##N##_wg_broadcast(rocshmem_ctx_t, rocshmem_team_t team, T* to,            \
                                                   const T* from, int count, int root) {                   \
    const bool isRoot = mtshmem_team_my_pe(numberOf(team)) == root;                                        \
    mtshmemx_##N##_broadcast_block(numberOf(team), isRoot ? const_cast<T*>(from) : to, from, count, root); \
  }                                                                                                        \
  ROCSHMEM_FN void rocshmem_ctx_##N##_wg_fcollect(rocshmem_ctx_t, rocshmem_team_t team, T* to,             \
                                                  const T* from, int count) {                              \
    mtshmemx_##N##_fcollect_block(numberOf(team), to, from, count);                                        \
  }                                                                                                        \
  ROCSHMEM_FN void rocshmem_ctx_##N##_wg_alltoall(rocshmem_ctx_t, rocshmem_team_t team, T* to,             \
                                                  const T* from, int count) {                              \
    mtshmemx_##N##_alltoall_block(numberOf(team), to, from, count);                                        \
  }
#define ROCSHMEM_EXTENDED(T, N)                                                                \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_fetch(rocshmem_ctx_t ctx, T* at, int pe) {           \
    return mtshmem_##N##_atomic_fetch(at, worldOf(ctx, pe));                                   \
  }                                                                                            \
  ROCSHMEM_FN void rocshmem_ctx_##N##_atomic_set(rocshmem_ctx_t ctx, T* at, T value, int pe) { \
    mtshmem_##N##_atomic_set(at, value, worldOf(ctx, pe));                                     \
  }                                                                                            \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_swap(rocshmem_ctx_t ctx, T* at, T value, int pe) {   \
    return mtshmem_##N##_atomic_swap(at, value, worldOf(ctx, pe));                             \
  }
#define ROCSHMEM_STANDARD(T, N)                                                                        \
  ROCSHMEM_EXTENDED(T, N)                                                                              \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_fetch_add(rocshmem_ctx_t ctx, T* at, T value, int pe) {      \
    return mtshmem_##N##_atomic_fetch_add(at, value, worldOf(ctx, pe));                                \
  }                                                                                                    \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_fetch_inc(rocshmem_ctx_t ctx, T* at, int pe) {               \
    return mtshmem_##N##_atomic_fetch_inc(at, worldOf(ctx, pe));                                       \
  }                                                                                                    \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_compare_swap(rocshmem_ctx_t ctx, T* at, T expected, T value, \
                                                       int pe) {                                       \
    return mtshmem_##N##_atomic_compare_swap(at, expected, value, worldOf(ctx, pe));                   \
  }                                                                                                    \
  ROCSHMEM_FN void rocshmem_ctx_##N##_atomic_add(rocshmem_ctx_t ctx, T* at, T value, int pe) {         \
    mtshmem_##N##_atomic_add(at, value, worldOf(ctx, pe));                                             \
  }                                                                                                    \
  ROCSHMEM_FN void rocshmem_ctx_##N##_atomic_inc(rocshmem_ctx_t ctx, T* at, int pe) {                  \
    mtshmem_##N##_atomic_inc(at, worldOf(ctx, pe));                                                    \
  }
#define ROCSHMEM_BIT(T, N, OP)                                                                     \
  ROCSHMEM_FN T rocshmem_ctx_##N##_atomic_fetch_##OP(rocshmem_ctx_t ctx, T* at, T value, int pe) { \
    return mtshmem_##N##_atomic_fetch_##OP(at, value, worldOf(ctx, pe));                           \
  }                                                                                                \
  ROCSHMEM_FN void rocshmem_ctx_##N##_atomic_##OP(rocshmem_ctx_t ctx, T* at, T value, int pe) {    \
    mtshmem_##N##_atomic_##OP(at, value, worldOf(ctx, pe));                                        \
  }
#define ROCSHMEM_BITWISE(T, N) ROCSHMEM_BIT(T, N, and) ROCSHMEM_BIT(T, N, or) ROCSHMEM_BIT(T, N, xor)
#define ROCSHMEM_REDUCTION(T, N, OP)                                                               \
  ROCSHMEM_FN int rocshmem_ctx_##N##_##OP##_wg_reduce(rocshmem_ctx_t, rocshmem_team_t team, T* to, \
                                                      const T* from, int count) {                  \
    return mtshmemx_##N##_##OP##_reduce_block(numberOf(team), to, from, count);                    \
  }
#define ROCSHMEM_ARITHMETIC(T, N) \
  ROCSHMEM_REDUCTION(T, N, sum)   \
  ROCSHMEM_REDUCTION(T, N, min) ROCSHMEM_REDUCTION(T, N, max) ROCSHMEM_REDUCTION(T, N, prod)
#define ROCSHMEM_LOGIC(T, N) \
  ROCSHMEM_ARITHMETIC(T, N)  \
  ROCSHMEM_REDUCTION(T, N, and) ROCSHMEM_REDUCTION(T, N, or) ROCSHMEM_REDUCTION(T, N, xor)

ROCSHMEM_TYPE(float, float)
ROCSHMEM_TYPE(double, double)
ROCSHMEM_TYPE(char, char)
ROCSHMEM_TYPE(signed char, schar)
ROCSHMEM_TYPE(short, short)
ROCSHMEM_TYPE(int, int)
ROCSHMEM_TYPE(long, long)
ROCSHMEM_TYPE(long long, longlong)
ROCSHMEM_TYPE(unsigned char, uchar)
ROCSHMEM_TYPE(unsigned short, ushort)
ROCSHMEM_TYPE(unsigned int, uint)
ROCSHMEM_TYPE(unsigned long, ulong)
ROCSHMEM_TYPE(unsigned long long, ulonglong)
ROCSHMEM_EXTENDED(float, float)
ROCSHMEM_EXTENDED(double, double)
ROCSHMEM_STANDARD(int, int)
ROCSHMEM_STANDARD(long, long)
ROCSHMEM_STANDARD(long long, longlong)
ROCSHMEM_STANDARD(unsigned int, uint)
ROCSHMEM_STANDARD(unsigned long, ulong)
ROCSHMEM_STANDARD(unsigned long long, ulonglong)
ROCSHMEM_BITWISE(unsigned int, uint)
ROCSHMEM_BITWISE(unsigned long, ulong)
ROCSHMEM_BITWISE(unsigned long long, ulonglong)
ROCSHMEM_LOGIC(short, short)
ROCSHMEM_LOGIC(int, int)
ROCSHMEM_LOGIC(long, long)
ROCSHMEM_LOGIC(long long, longlong)
ROCSHMEM_ARITHMETIC(float, float)
ROCSHMEM_ARITHMETIC(double, double)

}  // namespace rocshmem
