/* Texture and surface objects as device code sees them.
 *
 *   libmusa           makes the descriptors (abi/texture_layout.h)
 *   crt headers       call the functions below, and reach surfaces by themselves
 *   libmusadevrt      samples
 */
#ifndef MUSASHIM_ABI_MUSA_TEXTURE_ABI_H
#define MUSASHIM_ABI_MUSA_TEXTURE_ABI_H

#include <stdint.h>

#include "abi/texture_layout.h"

#ifdef __cplusplus
#define MUSASHIM_TEXTURE_C extern "C"
#else
#define MUSASHIM_TEXTURE_C
#endif

/* The element at an index of linear memory; zeros outside. */
MUSASHIM_TEXTURE_C MusaTexel __musa_texture_element(uint64_t texture, int32_t index);
/* At level 0, or at the level of detail `lod`. `layer` counts for layered images only. */
MUSASHIM_TEXTURE_C MusaTexel __musa_texture_2d(uint64_t texture, float x, float y);
MUSASHIM_TEXTURE_C MusaTexel __musa_texture(uint64_t texture, uint32_t image, float x, float y, float z,
                                            int32_t layer, float lod);
/* One channel of the four elements that a linear filter would take, counter-clockwise from
 * the lower left. */
MUSASHIM_TEXTURE_C MusaTexel __musa_texture_gather(uint64_t texture, float x, float y, int32_t channel);

#endif
