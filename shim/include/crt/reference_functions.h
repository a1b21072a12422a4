/* Fetches through texture references and accesses through surface references, as of CUDA 11's programming
 * guide: those of objects, of what the reference is bound to on the device. Without a binding they end the
 * kernel as a wrong address does. */
#ifndef MUSASHIM_CRT_REFERENCE_FUNCTIONS_H
#define MUSASHIM_CRT_REFERENCE_FUNCTIONS_H

#if defined(__MUSACC__)

#include "../musa_surface_types.h"
#include "../musa_texture_types.h"
#include "surface_functions.h"
#include "texture_functions.h"

namespace musashim {

/* What elements of a type have: as many floats, and four of their components. */
template <class T>
struct TexelTypes;
#define MUSASHIM_TEXEL_TYPES(T, FloatsT, GatheredT) \
  template <>                                       \
  struct TexelTypes<T> {                            \
    typedef FloatsT Floats;                         \
    typedef GatheredT Gathered;                     \
  }
#define MUSASHIM_TEXEL_FAMILY(Component, Prefix)      \
  MUSASHIM_TEXEL_TYPES(Component, float, Prefix##4);  \
  MUSASHIM_TEXEL_TYPES(Prefix##1, float1, Prefix##4); \
  MUSASHIM_TEXEL_TYPES(Prefix##2, float2, Prefix##4); \
  MUSASHIM_TEXEL_TYPES(Prefix##4, float4, Prefix##4)
MUSASHIM_TEXEL_TYPES(char, float, char4);
MUSASHIM_TEXEL_FAMILY(signed char, char);
MUSASHIM_TEXEL_FAMILY(unsigned char, uchar);
MUSASHIM_TEXEL_FAMILY(short, short);
MUSASHIM_TEXEL_FAMILY(unsigned short, ushort);
MUSASHIM_TEXEL_FAMILY(int, int);
MUSASHIM_TEXEL_FAMILY(unsigned int, uint);
MUSASHIM_TEXEL_FAMILY(float, float);
#undef MUSASHIM_TEXEL_FAMILY
#undef MUSASHIM_TEXEL_TYPES

/* What a fetch through a reference returns. */
template <class T, enum musaTextureReadMode mode>
struct Fetched {
  typedef T Type;
  typedef typename TexelTypes<T>::Gathered Gathered;
};
template <class T>
struct Fetched<T, musaReadModeNormalizedFloat> {
  typedef typename TexelTypes<T>::Floats Type;
  typedef float4 Gathered;
};

}  // namespace musashim

#define MUSASHIM_UNWRAP(...) __VA_ARGS__
#define MUSASHIM_REFERENCE_FETCH(name, type, parameters, arguments)                    \
  template <class T, enum musaTextureReadMode mode>                                    \
  MUSASHIM_D typename musashim::Fetched<T, mode>::Type name(                           \
      const musashim::texture<T, type, mode>& reference, MUSASHIM_UNWRAP parameters) { \
    return name<typename musashim::Fetched<T, mode>::Type>(reference.musashimObject,   \
                                                           MUSASHIM_UNWRAP arguments); \
  }                                                                                    \
  static_assert(true, "takes the semicolon")

MUSASHIM_REFERENCE_FETCH(tex1Dfetch, musaTextureType1D, (int x), (x));
MUSASHIM_REFERENCE_FETCH(tex1D, musaTextureType1D, (float x), (x));
MUSASHIM_REFERENCE_FETCH(tex2D, musaTextureType2D, (float x, float y), (x, y));
MUSASHIM_REFERENCE_FETCH(tex3D, musaTextureType3D, (float x, float y, float z), (x, y, z));
MUSASHIM_REFERENCE_FETCH(tex1DLayered, musaTextureType1DLayered, (float x, int layer), (x, layer));
MUSASHIM_REFERENCE_FETCH(tex2DLayered, musaTextureType2DLayered, (float x, float y, int layer),
                         (x, y, layer));
MUSASHIM_REFERENCE_FETCH(texCubemap, musaTextureTypeCubemap, (float x, float y, float z), (x, y, z));
MUSASHIM_REFERENCE_FETCH(texCubemapLayered, musaTextureTypeCubemapLayered,
                         (float x, float y, float z, int layer), (x, y, z, layer));

MUSASHIM_REFERENCE_FETCH(tex1DLod, musaTextureType1D, (float x, float level), (x, level));
MUSASHIM_REFERENCE_FETCH(tex2DLod, musaTextureType2D, (float x, float y, float level), (x, y, level));
MUSASHIM_REFERENCE_FETCH(tex3DLod, musaTextureType3D, (float x, float y, float z, float level),
                         (x, y, z, level));
MUSASHIM_REFERENCE_FETCH(tex1DLayeredLod, musaTextureType1DLayered, (float x, int layer, float level),
                         (x, layer, level));
MUSASHIM_REFERENCE_FETCH(tex2DLayeredLod, musaTextureType2DLayered,
                         (float x, float y, int layer, float level), (x, y, layer, level));
MUSASHIM_REFERENCE_FETCH(texCubemapLod, musaTextureTypeCubemap, (float x, float y, float z, float level),
                         (x, y, z, level));
MUSASHIM_REFERENCE_FETCH(texCubemapLayeredLod, musaTextureTypeCubemapLayered,
                         (float x, float y, float z, int layer, float level), (x, y, z, layer, level));

MUSASHIM_REFERENCE_FETCH(tex1DGrad, musaTextureType1D, (float x, float dPdx, float dPdy), (x, dPdx, dPdy));
MUSASHIM_REFERENCE_FETCH(tex2DGrad, musaTextureType2D, (float x, float y, float2 dPdx, float2 dPdy),
                         (x, y, dPdx, dPdy));
MUSASHIM_REFERENCE_FETCH(tex3DGrad, musaTextureType3D, (float x, float y, float z, float4 dPdx, float4 dPdy),
                         (x, y, z, dPdx, dPdy));
MUSASHIM_REFERENCE_FETCH(tex1DLayeredGrad, musaTextureType1DLayered,
                         (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy));
MUSASHIM_REFERENCE_FETCH(tex2DLayeredGrad, musaTextureType2DLayered,
                         (float x, float y, int layer, float2 dPdx, float2 dPdy), (x, y, layer, dPdx, dPdy));
#undef MUSASHIM_REFERENCE_FETCH

template <class T, enum musaTextureReadMode mode>
MUSASHIM_D typename musashim::Fetched<T, mode>::Gathered tex2Dgather(
    const musashim::texture<T, musaTextureType2D, mode>& reference, float x, float y, int comp = 0) {
  return tex2Dgather<typename musashim::Fetched<T, mode>::Gathered>(reference.musashimObject, x, y, comp);
}

/* T is the type of what is read or written, in bytes as it is. */
#define MUSASHIM_REFERENCE_ACCESS(name, type, parameters, arguments)                                  \
  template <class T>                                                                                  \
  MUSASHIM_D T name##read(const musashim::surface<void, type>& reference, MUSASHIM_UNWRAP parameters, \
                          musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {                      \
    return name##read<T>(reference.musashimObject, MUSASHIM_UNWRAP arguments, mode);                  \
  }                                                                                                   \
  template <class T>                                                                                  \
  MUSASHIM_D void name##read(T* result, const musashim::surface<void, type>& reference,               \
                             MUSASHIM_UNWRAP parameters,                                              \
                             musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {                   \
    name##read(result, reference.musashimObject, MUSASHIM_UNWRAP arguments, mode);                    \
  }                                                                                                   \
  template <class T>                                                                                  \
  MUSASHIM_D void name##write(T value, const musashim::surface<void, type>& reference,                \
                              MUSASHIM_UNWRAP parameters,                                             \
                              musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {                  \
    name##write(value, reference.musashimObject, MUSASHIM_UNWRAP arguments, mode);                    \
  }                                                                                                   \
  static_assert(true, "takes the semicolon")

MUSASHIM_REFERENCE_ACCESS(surf1D, musaSurfaceType1D, (int x), (x));
MUSASHIM_REFERENCE_ACCESS(surf2D, musaSurfaceType2D, (int x, int y), (x, y));
MUSASHIM_REFERENCE_ACCESS(surf3D, musaSurfaceType3D, (int x, int y, int z), (x, y, z));
MUSASHIM_REFERENCE_ACCESS(surf1DLayered, musaSurfaceType1DLayered, (int x, int layer), (x, layer));
MUSASHIM_REFERENCE_ACCESS(surf2DLayered, musaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer));
MUSASHIM_REFERENCE_ACCESS(surfCubemap, musaSurfaceTypeCubemap, (int x, int y, int face), (x, y, face));
MUSASHIM_REFERENCE_ACCESS(surfCubemapLayered, musaSurfaceTypeCubemapLayered, (int x, int y, int layerFace),
                          (x, y, layerFace));
#undef MUSASHIM_REFERENCE_ACCESS
#undef MUSASHIM_UNWRAP

#endif
#endif
