/* The format of a channel for an element type: musaCreateChannelDesc<float4>(). */
#ifndef MUSASHIM_CHANNEL_DESCRIPTOR_H
#define MUSASHIM_CHANNEL_DESCRIPTOR_H

#if defined(__cplusplus)

#include "driver_types.h"
#include "musa_runtime_api.h"
#include "vector_types.h"

template <class T>
static inline struct musaChannelFormatDesc musaCreateChannelDesc(void) {
  return ::musaCreateChannelDesc(0, 0, 0, 0, musaChannelFormatKindNone);
}

#define MUSASHIM_CHANNEL(T, x, y, z, w, kind)                                \
  template <>                                                                \
  inline struct musaChannelFormatDesc musaCreateChannelDesc<T>(void) {       \
    return ::musaCreateChannelDesc(x, y, z, w, musaChannelFormatKind##kind); \
  } static_assert(true, "takes the semicolon")
#define MUSASHIM_CHANNELS(T, bits, kind)          \
  MUSASHIM_CHANNEL(T##1, bits, 0, 0, 0, kind);    \
  MUSASHIM_CHANNEL(T##2, bits, bits, 0, 0, kind); \
  MUSASHIM_CHANNEL(T##4, bits, bits, bits, bits, kind)

MUSASHIM_CHANNEL(char, 8, 0, 0, 0, Signed);
MUSASHIM_CHANNEL(signed char, 8, 0, 0, 0, Signed);
MUSASHIM_CHANNEL(unsigned char, 8, 0, 0, 0, Unsigned);
MUSASHIM_CHANNEL(short, 16, 0, 0, 0, Signed);
MUSASHIM_CHANNEL(unsigned short, 16, 0, 0, 0, Unsigned);
MUSASHIM_CHANNEL(int, 32, 0, 0, 0, Signed);
MUSASHIM_CHANNEL(unsigned int, 32, 0, 0, 0, Unsigned);
MUSASHIM_CHANNEL(float, 32, 0, 0, 0, Float);
MUSASHIM_CHANNELS(char, 8, Signed);
MUSASHIM_CHANNELS(uchar, 8, Unsigned);
MUSASHIM_CHANNELS(short, 16, Signed);
MUSASHIM_CHANNELS(ushort, 16, Unsigned);
MUSASHIM_CHANNELS(int, 32, Signed);
MUSASHIM_CHANNELS(uint, 32, Unsigned);
MUSASHIM_CHANNELS(float, 32, Float);
#undef MUSASHIM_CHANNELS
#undef MUSASHIM_CHANNEL

#endif
#endif
