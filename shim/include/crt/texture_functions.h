/* Texture fetches through texture objects. What they mean is CUDA's programming guide's
 * ("Texture Fetching"); the device runtime samples. reference_functions.h has the same
 * through texture references.
 */
#ifndef MUSASHIM_CRT_TEXTURE_FUNCTIONS_H
#define MUSASHIM_CRT_TEXTURE_FUNCTIONS_H

#if defined(__MUSACC__)

#include "../driver_types.h"
#include "texel.h"

extern "C" {
__device__ __attribute__((nothrow)) MusaTexel __musa_texture_element(unsigned long long texture, int index);
__device__ __attribute__((nothrow)) MusaTexel __musa_texture_2d(unsigned long long texture, float x, float y);
__device__ __attribute__((nothrow)) MusaTexel __musa_texture(unsigned long long texture, unsigned int image,
                                                             float x, float y, float z, int layer, float lod);
__device__ __attribute__((nothrow)) MusaTexel __musa_texture_gather(unsigned long long texture, float x,
                                                                    float y, int channel);
}

/* The level of detail at which a step of these sizes, in elements of level 0, is one
 * element: the longer of the two decides. */
MUSASHIM_D float musashimLod(float dx, float dy) {
  float longest = dx > dy ? dx : dy; /* squares */
  return 0.5f * __builtin_log2f(longest);
}
MUSASHIM_D float musashimLod(musaTextureObject_t texture, float3 dx, float3 dy) {
  const MusaTexture* t = (const MusaTexture*)texture;
  float w = 1.0f, h = 1.0f, d = 1.0f;
  if (t->normalized_coordinates) {
    w = (float)t->levels[0].width;
    h = (float)t->levels[0].height;
    d = (float)t->levels[0].depth;
  }
  return musashimLod(dx.x * w * dx.x * w + dx.y * h * dx.y * h + dx.z * d * dx.z * d,
                     dy.x * w * dy.x * w + dy.y * h * dy.y * h + dy.z * d * dy.z * d);
}
MUSASHIM_D float3 musashimStep(float x, float y, float z) {
  float3 step;
  step.x = x;
  step.y = y;
  step.z = z;
  return step;
}

/* Each function has a form that returns and one that stores its result. */
#define MUSASHIM_FETCH(name, parameters, arguments, texel)      \
  template <class T>                                            \
  MUSASHIM_D T name parameters {                                \
    return musashimTexel<T>::from(texel);                       \
  }                                                             \
  template <class T>                                            \
  MUSASHIM_D void name(T* result, MUSASHIM_UNWRAP parameters) { \
    *result = name<T> arguments;                                \
  }                                                             \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_UNWRAP(...) __VA_ARGS__

MUSASHIM_FETCH(tex1Dfetch, (musaTextureObject_t texture, int x), (texture, x),
               __musa_texture_element(texture, x));
MUSASHIM_FETCH(tex1D, (musaTextureObject_t texture, float x), (texture, x),
               __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, 0, 0));
MUSASHIM_FETCH(tex2D, (musaTextureObject_t texture, float x, float y), (texture, x, y),
               __musa_texture_2d(texture, x, y));
MUSASHIM_FETCH(tex3D, (musaTextureObject_t texture, float x, float y, float z), (texture, x, y, z),
               __musa_texture(texture, MUSA_IMAGE_3D, x, y, z, 0, 0));
MUSASHIM_FETCH(tex1DLayered, (musaTextureObject_t texture, float x, int layer), (texture, x, layer),
               __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, layer, 0));
MUSASHIM_FETCH(tex2DLayered, (musaTextureObject_t texture, float x, float y, int layer),
               (texture, x, y, layer), __musa_texture(texture, MUSA_IMAGE_2D, x, y, 0, layer, 0));
MUSASHIM_FETCH(texCubemap, (musaTextureObject_t texture, float x, float y, float z), (texture, x, y, z),
               __musa_texture(texture, MUSA_IMAGE_CUBE, x, y, z, 0, 0));
MUSASHIM_FETCH(texCubemapLayered, (musaTextureObject_t texture, float x, float y, float z, int layer),
               (texture, x, y, z, layer), __musa_texture(texture, MUSA_IMAGE_CUBE, x, y, z, layer, 0));

MUSASHIM_FETCH(tex1DLod, (musaTextureObject_t texture, float x, float level), (texture, x, level),
               __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, 0, level));
MUSASHIM_FETCH(tex2DLod, (musaTextureObject_t texture, float x, float y, float level), (texture, x, y, level),
               __musa_texture(texture, MUSA_IMAGE_2D, x, y, 0, 0, level));
MUSASHIM_FETCH(tex3DLod, (musaTextureObject_t texture, float x, float y, float z, float level),
               (texture, x, y, z, level), __musa_texture(texture, MUSA_IMAGE_3D, x, y, z, 0, level));
MUSASHIM_FETCH(tex1DLayeredLod, (musaTextureObject_t texture, float x, int layer, float level),
               (texture, x, layer, level), __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, layer, level));
MUSASHIM_FETCH(tex2DLayeredLod, (musaTextureObject_t texture, float x, float y, int layer, float level),
               (texture, x, y, layer, level), __musa_texture(texture, MUSA_IMAGE_2D, x, y, 0, layer, level));
MUSASHIM_FETCH(texCubemapLod, (musaTextureObject_t texture, float x, float y, float z, float level),
               (texture, x, y, z, level), __musa_texture(texture, MUSA_IMAGE_CUBE, x, y, z, 0, level));
MUSASHIM_FETCH(texCubemapLayeredLod,
               (musaTextureObject_t texture, float x, float y, float z, int layer, float level),
               (texture, x, y, z, layer, level),
               __musa_texture(texture, MUSA_IMAGE_CUBE, x, y, z, layer, level));

MUSASHIM_FETCH(tex1DGrad, (musaTextureObject_t texture, float x, float dPdx, float dPdy),
               (texture, x, dPdx, dPdy),
               __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, 0,
                              musashimLod(texture, musashimStep(dPdx, 0, 0), musashimStep(dPdy, 0, 0))));
MUSASHIM_FETCH(tex2DGrad, (musaTextureObject_t texture, float x, float y, float2 dPdx, float2 dPdy),
               (texture, x, y, dPdx, dPdy),
               __musa_texture(texture, MUSA_IMAGE_2D, x, y, 0, 0,
                              musashimLod(texture, musashimStep(dPdx.x, dPdx.y, 0),
                                          musashimStep(dPdy.x, dPdy.y, 0))));
MUSASHIM_FETCH(tex3DGrad, (musaTextureObject_t texture, float x, float y, float z, float4 dPdx, float4 dPdy),
               (texture, x, y, z, dPdx, dPdy),
               __musa_texture(texture, MUSA_IMAGE_3D, x, y, z, 0,
                              musashimLod(texture, musashimStep(dPdx.x, dPdx.y, dPdx.z),
                                          musashimStep(dPdy.x, dPdy.y, dPdy.z))));
MUSASHIM_FETCH(tex1DLayeredGrad, (musaTextureObject_t texture, float x, int layer, float dPdx, float dPdy),
               (texture, x, layer, dPdx, dPdy),
               __musa_texture(texture, MUSA_IMAGE_1D, x, 0, 0, layer,
                              musashimLod(texture, musashimStep(dPdx, 0, 0), musashimStep(dPdy, 0, 0))));
MUSASHIM_FETCH(tex2DLayeredGrad,
               (musaTextureObject_t texture, float x, float y, int layer, float2 dPdx, float2 dPdy),
               (texture, x, y, layer, dPdx, dPdy),
               __musa_texture(texture, MUSA_IMAGE_2D, x, y, 0, layer,
                              musashimLod(texture, musashimStep(dPdx.x, dPdx.y, 0),
                                          musashimStep(dPdy.x, dPdy.y, 0))));
#undef MUSASHIM_FETCH
#undef MUSASHIM_UNWRAP

template <class T>
MUSASHIM_D T tex2Dgather(musaTextureObject_t texture, float x, float y, int comp = 0) {
  return musashimTexel<T>::from(__musa_texture_gather(texture, x, y, comp));
}
template <class T>
MUSASHIM_D void tex2Dgather(T* result, musaTextureObject_t texture, float x, float y, int comp = 0) {
  *result = tex2Dgather<T>(texture, x, y, comp);
}

#endif
#endif
