/* threadIdx, blockIdx, blockDim, gridDim and warpSize.
 *
 * They are never defined. mcc's passes replace what reads them by calls of getters, and these by loads from
 * the block's state. For another clang (tests/device), members are properties that call the getters.
 */
#ifndef MUSASHIM_CRT_BUILTIN_VARIABLES_H
#define MUSASHIM_CRT_BUILTIN_VARIABLES_H

#if defined(__MUSACC__) && defined(__cplusplus)

#include "../vector_types.h"

#define MUSASHIM_GETTER extern "C" __device__ __attribute__((const, nothrow))
MUSASHIM_GETTER unsigned int __musa_thread_idx_x(void);
MUSASHIM_GETTER unsigned int __musa_thread_idx_y(void);
MUSASHIM_GETTER unsigned int __musa_thread_idx_z(void);
MUSASHIM_GETTER unsigned int __musa_block_idx_x(void);
MUSASHIM_GETTER unsigned int __musa_block_idx_y(void);
MUSASHIM_GETTER unsigned int __musa_block_idx_z(void);
MUSASHIM_GETTER unsigned int __musa_block_dim_x(void);
MUSASHIM_GETTER unsigned int __musa_block_dim_y(void);
MUSASHIM_GETTER unsigned int __musa_block_dim_z(void);
MUSASHIM_GETTER unsigned int __musa_grid_dim_x(void);
MUSASHIM_GETTER unsigned int __musa_grid_dim_y(void);
MUSASHIM_GETTER unsigned int __musa_grid_dim_z(void);
MUSASHIM_GETTER int __musa_warp_size(void);
MUSASHIM_GETTER int __musa_is_cooperative(void);
#undef MUSASHIM_GETTER

#if __has_attribute(musa_shared) /* mcc's passes are there */
extern const __device__ __attribute__((weak)) uint3 threadIdx __asm__("__musa_thread_idx");
extern const __device__ __attribute__((weak)) uint3 blockIdx __asm__("__musa_block_idx");
extern const __device__ __attribute__((weak)) dim3 blockDim __asm__("__musa_block_dim");
extern const __device__ __attribute__((weak)) dim3 gridDim __asm__("__musa_grid_dim");
#else
#define MUSASHIM_INDEX_TYPE(type, prefix)                                          \
  struct type {                                                                    \
    __declspec(property(get = get_x)) unsigned int x;                              \
    __declspec(property(get = get_y)) unsigned int y;                              \
    __declspec(property(get = get_z)) unsigned int z;                              \
    static MUSASHIM_D unsigned int get_x() { return prefix##_x(); }                \
    static MUSASHIM_D unsigned int get_y() { return prefix##_y(); }                \
    static MUSASHIM_D unsigned int get_z() { return prefix##_z(); }                \
    MUSASHIM_D operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
    MUSASHIM_D operator uint3() const { return uint3{get_x(), get_y(), get_z()}; } \
  }

MUSASHIM_INDEX_TYPE(__musa_thread_idx_t, __musa_thread_idx);
MUSASHIM_INDEX_TYPE(__musa_block_idx_t, __musa_block_idx);
MUSASHIM_INDEX_TYPE(__musa_block_dim_t, __musa_block_dim);
MUSASHIM_INDEX_TYPE(__musa_grid_dim_t, __musa_grid_dim);
#undef MUSASHIM_INDEX_TYPE

extern const __device__ __attribute__((weak)) __musa_thread_idx_t threadIdx;
extern const __device__ __attribute__((weak)) __musa_block_idx_t blockIdx;
extern const __device__ __attribute__((weak)) __musa_block_dim_t blockDim;
extern const __device__ __attribute__((weak)) __musa_grid_dim_t gridDim;
#endif
/* Reading it becomes a call of __musa_warp_size. */
extern const __device__ int warpSize;

#endif
#endif
