/* Texture references' settings (CUDA 11's programming guide, "Texture Reference API"); the types of texture
 * objects are in driver_types.h. For C and C++. */
#ifndef MUSASHIM_TEXTURE_TYPES_H
#define MUSASHIM_TEXTURE_TYPES_H

#include "driver_types.h"

/* What binding reads. musa_texture_types.h has the variables that device code fetches through. */
struct textureReference {
  int normalized; /* coordinates are in [0, 1) */
  enum musaTextureFilterMode filterMode;
  enum musaTextureAddressMode addressMode[3];
  struct musaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum musaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int musashimReserved;
  musaTextureObject_t musashimObject; /* a device's copy: what the reference is bound to there; 0: nothing */
};

#endif
