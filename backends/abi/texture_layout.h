/* Texture and surface objects as device code sees them: an object's handle is the
 * address of its descriptor. abi/musa_texture_abi.h says who makes and reads them.
 *
 * Plain C, no includes but <stdint.h>.
 */
#ifndef MUSASHIM_CRT_TEXTURE_LAYOUT_H
#define MUSASHIM_CRT_TEXTURE_LAYOUT_H

#include <stdint.h>

/* One level of an image: rows of `width` elements, `height` rows in a slice. */
typedef struct MusaImageLevel {
  char* base;
  uint64_t row_bytes, slice_bytes; /* from one row or slice to the next */
  uint32_t width, height;          /* at least 1 */
  uint32_t depth;                  /* slices of a 3D image, layers (times faces) of others; at least 1 */
  uint32_t reserved;
} MusaImageLevel;

enum { MUSA_CHANNEL_SIGNED = 0, MUSA_CHANNEL_UNSIGNED = 1, MUSA_CHANNEL_FLOAT = 2 };

typedef struct MusaElementFormat {
  uint8_t kind;     /* MUSA_CHANNEL_* */
  uint8_t bits;     /* of a channel: 8, 16, 32 */
  uint8_t channels; /* 1, 2, 4 */
  uint8_t bytes;    /* of an element */
} MusaElementFormat;

enum { MUSA_ADDRESS_WRAP = 0, MUSA_ADDRESS_CLAMP = 1, MUSA_ADDRESS_MIRROR = 2, MUSA_ADDRESS_BORDER = 3 };

enum { MUSA_TEXTURE_LEVELS = 16 };

typedef struct MusaTexture {
  MusaImageLevel levels[MUSA_TEXTURE_LEVELS];
  uint32_t level_count;
  MusaElementFormat format;
  uint8_t address[3]; /* MUSA_ADDRESS_*, per coordinate */
  uint8_t linear;     /* interpolates between elements */
  uint8_t level_linear;
  uint8_t normalized_coordinates;
  uint8_t normalized_result; /* integers become [0, 1] or [-1, 1] */
  uint8_t srgb;
  uint8_t seamless; /* cube maps are filtered across faces */
  uint8_t reserved[3];
  float border[4];
  float level_bias, level_low, level_high;
} MusaTexture;

typedef struct MusaSurface {
  MusaImageLevel image;
  MusaElementFormat format;
} MusaSurface;

/* Four channels of 32 bits each: floats, or integers extended as their sign asks. */
typedef struct MusaTexel {
  uint32_t channel[4];
} MusaTexel;

/* How an image is addressed. Layers are found by number, the rest by coordinates. */
enum { MUSA_IMAGE_1D = 1, MUSA_IMAGE_2D = 2, MUSA_IMAGE_3D = 3, MUSA_IMAGE_CUBE = 4 };

#endif
