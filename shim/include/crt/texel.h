/* Texels: the four 32-bit channels that the device runtime gives for a fetch, as the
 * scalar and vector types that texture functions return. */
#ifndef MUSASHIM_CRT_TEXEL_H
#define MUSASHIM_CRT_TEXEL_H

#include "../vector_types.h"
#include "host_defines.h"
#include "crt/texture_layout.h"

/* One channel as a component: integers lose the bits that the format never had. */
template <class Component>
struct musashimChannel {
  static __device__ __forceinline__ Component from(unsigned int bits) { return (Component)bits; }
};
template <>
struct musashimChannel<float> {
  static __device__ __forceinline__ float from(unsigned int bits) { return __builtin_bit_cast(float, bits); }
};

/* Types that a texture function may return; for others there is no `from`. */
template <class T>
struct musashimTexel;

#define MUSASHIM_TEXELS(Component, One, Vector, Two, Four)              \
  template <>                                                           \
  struct musashimTexel<Vector> {                                        \
    static __device__ __forceinline__ Vector from(const MusaTexel& t) { \
      return Vector{musashimChannel<Component>::from(t.channel[0])};    \
    }                                                                   \
  };                                                                    \
  template <>                                                           \
  struct musashimTexel<One> {                                           \
    static __device__ __forceinline__ One from(const MusaTexel& t) {    \
      return (One)musashimChannel<Component>::from(t.channel[0]);       \
    }                                                                   \
  };                                                                    \
  template <>                                                           \
  struct musashimTexel<Two> {                                           \
    static __device__ __forceinline__ Two from(const MusaTexel& t) {    \
      Two value;                                                        \
      value.x = musashimChannel<Component>::from(t.channel[0]);         \
      value.y = musashimChannel<Component>::from(t.channel[1]);         \
      return value;                                                     \
    }                                                                   \
  };                                                                    \
  template <>                                                           \
  struct musashimTexel<Four> {                                          \
    static __device__ __forceinline__ Four from(const MusaTexel& t) {   \
      Four value;                                                       \
      value.x = musashimChannel<Component>::from(t.channel[0]);         \
      value.y = musashimChannel<Component>::from(t.channel[1]);         \
      value.z = musashimChannel<Component>::from(t.channel[2]);         \
      value.w = musashimChannel<Component>::from(t.channel[3]);         \
      return value;                                                     \
    }                                                                   \
  }

MUSASHIM_TEXELS(signed char, signed char, char1, char2, char4);
MUSASHIM_TEXELS(unsigned char, unsigned char, uchar1, uchar2, uchar4);
MUSASHIM_TEXELS(short, short, short1, short2, short4);
MUSASHIM_TEXELS(unsigned short, unsigned short, ushort1, ushort2, ushort4);
MUSASHIM_TEXELS(int, int, int1, int2, int4);
MUSASHIM_TEXELS(unsigned int, unsigned int, uint1, uint2, uint4);
MUSASHIM_TEXELS(float, float, float1, float2, float4);
#undef MUSASHIM_TEXELS

template <>
struct musashimTexel<char> : musashimTexel<signed char> {};

#endif
