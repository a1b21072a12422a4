/* Loads and stores through surface objects: x counts bytes, y rows, z slices or layers. */
#ifndef MUSASHIM_CRT_SURFACE_FUNCTIONS_H
#define MUSASHIM_CRT_SURFACE_FUNCTIONS_H

#if defined(__MUSACC__)

#include "../driver_types.h"
#include "device_runtime.h"
#include "texel.h"

/* The image's description. It is the runtime's and in no allocation that checked code knows; a function that
 * is always inlined would have its reads checked as the user's. */
inline __device__ __attribute__((disable_sanitizer_instrumentation)) MusaSurface
musashimSurfaceOf(musaSurfaceObject_t surface) {
  return *(const MusaSurface*)surface;
}

/* Where an access of `bytes` goes; null outside with musaBoundaryModeZero. */
MUSASHIM_D char* musashimSurfaceAddress(musaSurfaceObject_t surface, int bytes, int x, int y, int z,
                                        musaSurfaceBoundaryMode mode) {
  const MusaSurface description = musashimSurfaceOf(surface);
  const MusaImageLevel& image = description.image;
  const int rowBytes = (int)(image.width * description.format.bytes);
  const bool inside =
      x >= 0 && x + bytes <= rowBytes && (unsigned int)y < image.height && (unsigned int)z < image.depth;
  if (!inside) {
    if (mode == musaBoundaryModeTrap) *(volatile char*)16 = 0; /* an illegal address, as on hardware */
    if (mode == musaBoundaryModeZero) return nullptr;
    x = x < 0 ? 0 : x + bytes > rowBytes ? rowBytes - bytes : x;
    y = y < 0 ? 0 : y >= (int)image.height ? (int)image.height - 1 : y;
    z = z < 0 ? 0 : z >= (int)image.depth ? (int)image.depth - 1 : z;
  }
  return image.base + (unsigned long long)z * image.slice_bytes + (unsigned long long)y * image.row_bytes + x;
}

template <class T>
MUSASHIM_D T musashimSurfaceRead(musaSurfaceObject_t surface, int x, int y, int z,
                                 musaSurfaceBoundaryMode mode) {
  T value = {};
  if (const char* from = musashimSurfaceAddress(surface, sizeof(T), x, y, z, mode)) {
    __builtin_memcpy(&value, from, sizeof(T));
  }
  return value;
}

template <class T>
MUSASHIM_D void musashimSurfaceWrite(T value, musaSurfaceObject_t surface, int x, int y, int z,
                                     musaSurfaceBoundaryMode mode) {
  if (char* to = musashimSurfaceAddress(surface, sizeof(T), x, y, z, mode))
    __builtin_memcpy(to, &value, sizeof(T));
}

/* A load that returns, a load that stores, and a store, for each kind of image. */
#define MUSASHIM_SURFACE(name, coordinates, x, y, z)                                              \
  template <class T>                                                                              \
  MUSASHIM_D T name##read(musaSurfaceObject_t surface, MUSASHIM_UNWRAP coordinates,               \
                          musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {                  \
    return musashimSurfaceRead<T>(surface, x, y, z, mode);                                        \
  }                                                                                               \
  template <class T>                                                                              \
  MUSASHIM_D void name##read(T* result, musaSurfaceObject_t surface, MUSASHIM_UNWRAP coordinates, \
                             musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {               \
    *result = musashimSurfaceRead<T>(surface, x, y, z, mode);                                     \
  }                                                                                               \
  template <class T>                                                                              \
  MUSASHIM_D void name##write(T value, musaSurfaceObject_t surface, MUSASHIM_UNWRAP coordinates,  \
                              musaSurfaceBoundaryMode mode = musaBoundaryModeTrap) {              \
    musashimSurfaceWrite<T>(value, surface, x, y, z, mode);                                       \
  }                                                                                               \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_UNWRAP(...) __VA_ARGS__

MUSASHIM_SURFACE(surf1D, (int x), x, 0, 0);
MUSASHIM_SURFACE(surf2D, (int x, int y), x, y, 0);
MUSASHIM_SURFACE(surf3D, (int x, int y, int z), x, y, z);
MUSASHIM_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer);
MUSASHIM_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer);
MUSASHIM_SURFACE(surfCubemap, (int x, int y, int face), x, y, face);
MUSASHIM_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), x, y, layerFace);
#undef MUSASHIM_SURFACE
#undef MUSASHIM_UNWRAP

#endif
#endif
