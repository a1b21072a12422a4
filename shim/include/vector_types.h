/* The built-in vector types, in C and C++, on host and device.
 *
 * Sizes and alignments are part of every kernel's ABI and equal CUDA's (CUDA C++
 * Programming Guide, "Built-in Vector Types"): 2- and 4-vectors are aligned to their
 * size, at most 16 bytes; 1- and 3-vectors to their element.
 */
#ifndef MUSASHIM_VECTOR_TYPES_H
#define MUSASHIM_VECTOR_TYPES_H

#include "crt/host_defines.h"

#define MUSASHIM_VECTOR_TYPE(name, element, align2, align4) \
  struct name##1 { element x; };                            \
  struct __align__(align2) name##2 { element x, y; };       \
  struct name##3 { element x, y, z; };                      \
  struct __align__(align4) name##4 { element x, y, z, w; }; \
  typedef struct name##1 name##1;                           \
  typedef struct name##2 name##2;                           \
  typedef struct name##3 name##3;                           \
  typedef struct name##4 name##4

MUSASHIM_VECTOR_TYPE(char, signed char, 2, 4);
MUSASHIM_VECTOR_TYPE(uchar, unsigned char, 2, 4);
MUSASHIM_VECTOR_TYPE(short, short, 4, 8);
MUSASHIM_VECTOR_TYPE(ushort, unsigned short, 4, 8);
MUSASHIM_VECTOR_TYPE(int, int, 8, 16);
MUSASHIM_VECTOR_TYPE(uint, unsigned int, 8, 16);
MUSASHIM_VECTOR_TYPE(long, long, 16, 16);
MUSASHIM_VECTOR_TYPE(ulong, unsigned long, 16, 16);
MUSASHIM_VECTOR_TYPE(longlong, long long, 16, 16);
MUSASHIM_VECTOR_TYPE(ulonglong, unsigned long long, 16, 16);
MUSASHIM_VECTOR_TYPE(float, float, 8, 16);
MUSASHIM_VECTOR_TYPE(double, double, 16, 16);

#undef MUSASHIM_VECTOR_TYPE

/* CUDA 13's: the alignment is in the name. */
#define MUSASHIM_ALIGNED_VECTOR_TYPE(name, element)         \
  struct __align__(16) name##4_16a { element x, y, z, w; }; \
  struct __align__(32) name##4_32a { element x, y, z, w; }; \
  typedef struct name##4_16a name##4_16a;                   \
  typedef struct name##4_32a name##4_32a

MUSASHIM_ALIGNED_VECTOR_TYPE(long, long);
MUSASHIM_ALIGNED_VECTOR_TYPE(ulong, unsigned long);
MUSASHIM_ALIGNED_VECTOR_TYPE(longlong, long long);
MUSASHIM_ALIGNED_VECTOR_TYPE(ulonglong, unsigned long long);
MUSASHIM_ALIGNED_VECTOR_TYPE(double, double);

#undef MUSASHIM_ALIGNED_VECTOR_TYPE

/* Extents of a grid or block: what is not given is 1. */
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  /* A template, so that it loses against the copy constructor for what converts to uint3 and to dim3. */
  template <typename = void>
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
