/* make_<type>: constructors of the built-in vector types, in C and C++. */
#ifndef MUSASHIM_VECTOR_FUNCTIONS_H
#define MUSASHIM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define MUSASHIM_MAKE_VECTOR(name, element)                                                                  \
  static __inline__ __host__ __device__ name##1 make_##name##1(element x) {                                  \
    name##1 v;                                                                                               \
    v.x = x;                                                                                                 \
    return v;                                                                                                \
  }                                                                                                          \
  static __inline__ __host__ __device__ name##2 make_##name##2(element x, element y) {                       \
    name##2 v;                                                                                               \
    v.x = x, v.y = y;                                                                                        \
    return v;                                                                                                \
  }                                                                                                          \
  static __inline__ __host__ __device__ name##3 make_##name##3(element x, element y, element z) {            \
    name##3 v;                                                                                               \
    v.x = x, v.y = y, v.z = z;                                                                               \
    return v;                                                                                                \
  }                                                                                                          \
  static __inline__ __host__ __device__ name##4 make_##name##4(element x, element y, element z, element w) { \
    name##4 v;                                                                                               \
    v.x = x, v.y = y, v.z = z, v.w = w;                                                                      \
    return v;                                                                                                \
  }                                                                                                          \
  struct name##1 /* takes the semicolon */

MUSASHIM_MAKE_VECTOR(char, signed char);
MUSASHIM_MAKE_VECTOR(uchar, unsigned char);
MUSASHIM_MAKE_VECTOR(short, short);
MUSASHIM_MAKE_VECTOR(ushort, unsigned short);
MUSASHIM_MAKE_VECTOR(int, int);
MUSASHIM_MAKE_VECTOR(uint, unsigned int);
MUSASHIM_MAKE_VECTOR(long, long);
MUSASHIM_MAKE_VECTOR(ulong, unsigned long);
MUSASHIM_MAKE_VECTOR(longlong, long long);
MUSASHIM_MAKE_VECTOR(ulonglong, unsigned long long);
MUSASHIM_MAKE_VECTOR(float, float);
MUSASHIM_MAKE_VECTOR(double, double);

#undef MUSASHIM_MAKE_VECTOR

#define MUSASHIM_MAKE_ALIGNED_VECTOR(name, element)                                                    \
  static __inline__ __host__ __device__ name make_##name(element x, element y, element z, element w) { \
    name v;                                                                                            \
    v.x = x, v.y = y, v.z = z, v.w = w;                                                                \
    return v;                                                                                          \
  }                                                                                                    \
  struct name /* takes the semicolon */

MUSASHIM_MAKE_ALIGNED_VECTOR(long4_16a, long);
MUSASHIM_MAKE_ALIGNED_VECTOR(long4_32a, long);
MUSASHIM_MAKE_ALIGNED_VECTOR(ulong4_16a, unsigned long);
MUSASHIM_MAKE_ALIGNED_VECTOR(ulong4_32a, unsigned long);
MUSASHIM_MAKE_ALIGNED_VECTOR(longlong4_16a, long long);
MUSASHIM_MAKE_ALIGNED_VECTOR(longlong4_32a, long long);
MUSASHIM_MAKE_ALIGNED_VECTOR(ulonglong4_16a, unsigned long long);
MUSASHIM_MAKE_ALIGNED_VECTOR(ulonglong4_32a, unsigned long long);
MUSASHIM_MAKE_ALIGNED_VECTOR(double4_16a, double);
MUSASHIM_MAKE_ALIGNED_VECTOR(double4_32a, double);

#undef MUSASHIM_MAKE_ALIGNED_VECTOR

#endif
