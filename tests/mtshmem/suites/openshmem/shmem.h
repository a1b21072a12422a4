/* OpenSHMEM's names for MTSHMEM's host API, for public test suites: functions that have a counterpart, active
 * sets as teams. What has none (locks, shmem_realloc) is not here, so that its tests are known by the linker.
 */
#ifndef MUSASHIM_SUITES_SHMEM_H
#define MUSASHIM_SUITES_SHMEM_H

#include <stddef.h>
#include <stdint.h>

/* name, type */
#define SHIM_INTEGERS(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define SHIM_NUMBERS(X) SHIM_INTEGERS(X) X(float, float) X(double, double) X(longdouble, long double)
#define SHIM_TYPES(X) SHIM_NUMBERS(X) X(char, char)
#define SHIM_WIDTHS(X) X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

#define SHMEM_SYNC_VALUE (-1L)
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define SHMEM_REDUCE_SYNC_SIZE 8
#define SHMEM_BCAST_SYNC_SIZE 8
#define SHMEM_COLLECT_SYNC_SIZE 8
#define SHMEM_BARRIER_SYNC_SIZE 8
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 16
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_MAJOR_VERSION 1
#define _SHMEM_MINOR_VERSION 3
#define _SHMEM_MAX_NAME_LEN 256

#ifdef __cplusplus
extern "C" {
#endif
void shmem_init(void);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* address, int pe);
void* shmem_malloc(size_t bytes);
void* shmem_align(size_t alignment, size_t bytes);
void shmem_free(void* place);
void shmem_quiet(void);
void shmem_fence(void);
void shmem_barrier_all(void);
void shmem_barrier(int start, int log_stride, int size, long* sync);

#define SHIM_DECLARE(N, T)                                                        \
  void shmem_##N##_p(T* to, T value, int pe);                                     \
  T shmem_##N##_g(const T* from, int pe);                                         \
  void shmem_##N##_put(T* to, const T* from, size_t count, int pe);               \
  void shmem_##N##_put_nbi(T* to, const T* from, size_t count, int pe);           \
  void shmem_##N##_get(T* to, const T* from, size_t count, int pe);               \
  void shmem_##N##_iput(T* to, const T* from, ptrdiff_t, ptrdiff_t, size_t, int); \
  void shmem_##N##_iget(T* to, const T* from, ptrdiff_t, ptrdiff_t, size_t, int);
SHIM_TYPES(SHIM_DECLARE)
#define SHIM_DECLARE_ATOMICS(N, T)              \
  T shmem_##N##_swap(T* at, T value, int pe);   \
  T shmem_##N##_finc(T* at, int pe);            \
  void shmem_##N##_inc(T* at, int pe);          \
  T shmem_##N##_fadd(T* at, T value, int pe);   \
  void shmem_##N##_add(T* at, T value, int pe); \
  T shmem_##N##_cswap(T* at, T expected, T value, int pe);
SHIM_DECLARE_ATOMICS(int, int)
SHIM_DECLARE_ATOMICS(long, long)
SHIM_DECLARE_ATOMICS(longlong, long long)
float shmem_float_swap(float* at, float value, int pe);
double shmem_double_swap(double* at, double value, int pe);
#define SHIM_DECLARE_WAITS(N, T)         \
  void shmem_##N##_wait(T* at, T value); \
  void shmem_##N##_wait_until(T* at, int comparison, T value);
SHIM_INTEGERS(SHIM_DECLARE_WAITS)
#define SHIM_REDUCTION(N, T, OP)                                                                       \
  void shmem_##N##_##OP##_to_all(T* to, const T* from, int count, int start, int log_stride, int size, \
                                 T* work, long* sync);
#define SHIM_DECLARE_ARITHMETIC(N, T) \
  SHIM_REDUCTION(N, T, sum) SHIM_REDUCTION(N, T, prod) SHIM_REDUCTION(N, T, min) SHIM_REDUCTION(N, T, max)
#define SHIM_DECLARE_BITS(N, T) SHIM_REDUCTION(N, T, and) SHIM_REDUCTION(N, T, or) SHIM_REDUCTION(N, T, xor)
SHIM_NUMBERS(SHIM_DECLARE_ARITHMETIC)
SHIM_INTEGERS(SHIM_DECLARE_BITS)
#define SHIM_DECLARE_WIDTH(W, B)                                                     \
  void shmem_put##W(void* to, const void* from, size_t count, int pe);               \
  void shmem_put##W##_nbi(void* to, const void* from, size_t count, int pe);         \
  void shmem_get##W(void* to, const void* from, size_t count, int pe);               \
  void shmem_iput##W(void* to, const void* from, ptrdiff_t, ptrdiff_t, size_t, int); \
  void shmem_iget##W(void* to, const void* from, ptrdiff_t, ptrdiff_t, size_t, int);
SHIM_WIDTHS(SHIM_DECLARE_WIDTH)
void shmem_putmem(void* to, const void* from, size_t bytes, int pe);
void shmem_putmem_nbi(void* to, const void* from, size_t bytes, int pe);
void shmem_getmem(void* to, const void* from, size_t bytes, int pe);
#define SHIM_DECLARE_COLLECTIVES(W)                                                                      \
  void shmem_broadcast##W(void* to, const void* from, size_t count, int root, int start, int log_stride, \
                          int size, long* sync);                                                         \
  void shmem_fcollect##W(void* to, const void* from, size_t count, int start, int log_stride, int size,  \
                         long* sync);                                                                    \
  void shmem_collect##W(void* to, const void* from, size_t count, int start, int log_stride, int size,   \
                        long* sync);
SHIM_DECLARE_COLLECTIVES(32)
SHIM_DECLARE_COLLECTIVES(64)
#ifdef __cplusplus
}
#endif

/* Of Cray's and older levels; a word is of 64 bits. */
#define start_pes(n) shmem_init()
#define _my_pe shmem_my_pe
#define _num_pes shmem_n_pes
#define shmalloc shmem_malloc
#define shfree shmem_free
#define shmem_wait shmem_long_wait
#define shmem_wait_until shmem_long_wait_until
#define shmem_swap shmem_long_swap
#define shmem_finc shmem_long_finc
#define shmem_fadd shmem_long_fadd
#define shmem_cswap shmem_long_cswap
#define shmem_put shmem_put64
#define shmem_get shmem_get64
#define shmemx_broadcast shmem_broadcast64
#define shmem_set_cache_inv()
/* Their last parameter is a handle that may be null. */
#define shmemx_put_nb(to, from, count, pe, handle) shmem_put64_nbi(to, from, count, pe)
#define shmemx_put16_nb(to, from, count, pe, handle) shmem_put16_nbi(to, from, count, pe)
#define shmemx_put32_nb(to, from, count, pe, handle) shmem_put32_nbi(to, from, count, pe)
#define shmemx_put64_nb(to, from, count, pe, handle) shmem_put64_nbi(to, from, count, pe)
#define shmemx_put128_nb(to, from, count, pe, handle) shmem_put128_nbi(to, from, count, pe)
#define shmemx_putmem_nb(to, from, count, pe, handle) shmem_putmem_nbi(to, from, count, pe)
#define shmemx_short_put_nb(to, from, count, pe, handle) shmem_short_put_nbi(to, from, count, pe)
#define shmemx_int_put_nb(to, from, count, pe, handle) shmem_int_put_nbi(to, from, count, pe)
#define shmemx_long_put_nb(to, from, count, pe, handle) shmem_long_put_nbi(to, from, count, pe)
#define shmemx_longlong_put_nb(to, from, count, pe, handle) shmem_longlong_put_nbi(to, from, count, pe)
#define shmemx_float_put_nb(to, from, count, pe, handle) shmem_float_put_nbi(to, from, count, pe)
#define shmemx_double_put_nb(to, from, count, pe, handle) shmem_double_put_nbi(to, from, count, pe)

#endif
