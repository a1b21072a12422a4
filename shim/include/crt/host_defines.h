/* Function and variable qualifiers.
 *
 * Under mcc (__MUSACC__) they are clang's attributes. Under any other compiler the
 * execution-space qualifiers vanish, so that headers shared with host code compile.
 * `__restrict__` is native to gcc and clang, and `__noinline__` is a keyword of
 * clang's offloading languages; other compilers get no `__noinline__` macro because
 * it would break libstdc++'s own __attribute__((__noinline__)).
 */
#ifndef MUSASHIM_CRT_HOST_DEFINES_H
#define MUSASHIM_CRT_HOST_DEFINES_H
/* Sources ask by this name whether the header was included (CUDA's guard). */
#define __HOST_DEFINES_H__

#if defined(__MUSACC__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
/* mcc's own attribute stands for the other two: the annotation is how the compiler's passes find block-shared
 * storage. */
#if __has_attribute(musa_shared)
#define __shared__ __attribute__((musa_shared))
#else
#define __shared__ __attribute__((shared, annotate("musa.shared")))
#endif
#define __constant__ __attribute__((constant, annotate("musa.constant")))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

/* Hints on register use and parameter placement: a CPU has no use for either. */
#define __maxnreg__(...)
#define __grid_constant__
/* What the vendor's headers mark their own types, functions and variables with. */
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __musart_builtin__

/* Blocks of a cluster read each other's shared memory, so it cannot be left out; a cluster of one can. */
#if defined(__MUSACC__) && __has_attribute(musa_cluster_dims)
#define __cluster_dims__(...) __attribute__((musa_cluster_dims(+__VA_ARGS__))) /* no identifier alone */
#else
#define __cluster_dims__(...) MUSASHIM_NO_CLUSTERS
#endif
#define __block_size__(...) MUSASHIM_NO_CLUSTERS
/* clang-format off */
#define MUSASHIM_NO_CLUSTERS \
  _Pragma("GCC error \"MUSA has no thread block clusters: launch plain blocks, and share through device memory\"")
/* clang-format on */

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __forceinline__ __inline__ __attribute__((always_inline))

#ifndef MUSARTAPI
#define MUSARTAPI
#endif
#ifndef MUSART_CB
#define MUSART_CB
#endif

/* For the headers of this SDK only: a function for both sides, or for the device. */
#define MUSASHIM_HD inline __host__ __device__ __attribute__((always_inline))
#define MUSASHIM_D inline __device__ __attribute__((always_inline))

#endif
