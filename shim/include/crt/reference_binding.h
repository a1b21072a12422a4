/* The C++ forms of the binding of texture and surface references: by the variable, with its own format where
 * none is given (CUDA 11's runtime API, "C++ API Routines"). */
#ifndef MUSASHIM_CRT_REFERENCE_BINDING_H
#define MUSASHIM_CRT_REFERENCE_BINDING_H

#include "../musa_runtime_api.h"
#include "../musa_surface_types.h"
#include "../musa_texture_types.h"

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTexture(size_t* offset, const musashim::texture<T, dim, mode>& tex,
                                          const void* devPtr, const struct musaChannelFormatDesc& desc,
                                          size_t size = UINT_MAX) {
  return ::musaBindTexture(offset, (const struct textureReference*)&tex, devPtr, &desc, size);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTexture(size_t* offset, const musashim::texture<T, dim, mode>& tex,
                                          const void* devPtr, size_t size = UINT_MAX) {
  return musaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTexture2D(size_t* offset, const musashim::texture<T, dim, mode>& tex,
                                            const void* devPtr, const struct musaChannelFormatDesc& desc,
                                            size_t width, size_t height, size_t pitch) {
  return ::musaBindTexture2D(offset, (const struct textureReference*)&tex, devPtr, &desc, width, height,
                             pitch);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTexture2D(size_t* offset, const musashim::texture<T, dim, mode>& tex,
                                            const void* devPtr, size_t width, size_t height, size_t pitch) {
  return musaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTextureToArray(const musashim::texture<T, dim, mode>& tex,
                                                 musaArray_const_t array,
                                                 const struct musaChannelFormatDesc& desc) {
  return ::musaBindTextureToArray((const struct textureReference*)&tex, array, &desc);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTextureToArray(const musashim::texture<T, dim, mode>& tex,
                                                 musaArray_const_t array) {
  struct musaChannelFormatDesc desc;
  const musaError_t error = ::musaGetChannelDesc(&desc, array);
  return error == musaSuccess ? musaBindTextureToArray(tex, array, desc) : error;
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTextureToMipmappedArray(const musashim::texture<T, dim, mode>& tex,
                                                          musaMipmappedArray_const_t mipmappedArray,
                                                          const struct musaChannelFormatDesc& desc) {
  return ::musaBindTextureToMipmappedArray((const struct textureReference*)&tex, mipmappedArray, &desc);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaBindTextureToMipmappedArray(const musashim::texture<T, dim, mode>& tex,
                                                          musaMipmappedArray_const_t mipmappedArray) {
  musaArray_t level;
  struct musaChannelFormatDesc desc;
  musaError_t error = ::musaGetMipmappedArrayLevel(&level, mipmappedArray, 0);
  if (error == musaSuccess) error = ::musaGetChannelDesc(&desc, level);
  return error == musaSuccess ? musaBindTextureToMipmappedArray(tex, mipmappedArray, desc) : error;
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaUnbindTexture(const musashim::texture<T, dim, mode>& tex) {
  return ::musaUnbindTexture((const struct textureReference*)&tex);
}

template <class T, int dim, enum musaTextureReadMode mode>
static inline musaError_t musaGetTextureAlignmentOffset(size_t* offset,
                                                        const musashim::texture<T, dim, mode>& tex) {
  return ::musaGetTextureAlignmentOffset(offset, (const struct textureReference*)&tex);
}

template <class T, int dim>
static inline musaError_t musaBindSurfaceToArray(const musashim::surface<T, dim>& surf,
                                                 musaArray_const_t array,
                                                 const struct musaChannelFormatDesc& desc) {
  return ::musaBindSurfaceToArray((const struct surfaceReference*)&surf, array, &desc);
}

template <class T, int dim>
static inline musaError_t musaBindSurfaceToArray(const musashim::surface<T, dim>& surf,
                                                 musaArray_const_t array) {
  struct musaChannelFormatDesc desc;
  const musaError_t error = ::musaGetChannelDesc(&desc, array);
  return error == musaSuccess ? musaBindSurfaceToArray(surf, array, desc) : error;
}

#endif
