/* texture<T, dimensions, mode>: a texture reference, a variable at file scope that the host binds to memory
 * and device code fetches through.
 *
 * CUDA removed them in version 12; the rules are those of CUDA 11's programming guide and runtime API. The
 * host's variable holds the settings, each device's copy of it the texture object that binding made there
 * (shim/musart/texture/reference.h). Device code has no use for the settings.
 *
 * Under mcc, `texture` means this template where the program has nothing else of that name
 * (mcc/frontend/reference_names.cpp), so that programs of today may call their own types so.
 */
#ifndef MUSASHIM_MUSA_TEXTURE_TYPES_H
#define MUSASHIM_MUSA_TEXTURE_TYPES_H

#include "texture_types.h"

#if defined(__cplusplus)

#include "channel_descriptor.h"

/* Clang gives such variables a copy on every device, and registers them by their template arguments. */
#if defined(__MUSACC__)
#define MUSASHIM_TEXTURE_REFERENCE __attribute__((device_builtin_texture_type))
#else
#define MUSASHIM_TEXTURE_REFERENCE
#endif

namespace musashim {

template <class T, int texType = musaTextureType1D, enum musaTextureReadMode mode = musaReadModeElementType>
struct MUSASHIM_TEXTURE_REFERENCE texture : public textureReference {
  texture(int norm = 0, enum musaTextureFilterMode fMode = musaFilterModePoint,
          enum musaTextureAddressMode aMode = musaAddressModeClamp)
      : texture(norm, fMode, aMode, musaCreateChannelDesc<T>()) {}
  texture(int norm, enum musaTextureFilterMode fMode, enum musaTextureAddressMode aMode,
          struct musaChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    filterMode = fMode;
    addressMode[0] = addressMode[1] = addressMode[2] = aMode;
    channelDesc = desc;
  }
};

}  // namespace musashim

#if !defined(MUSASHIM_FINDS_REFERENCES) /* mcc does */
using musashim::texture;
#endif

#undef MUSASHIM_TEXTURE_REFERENCE

#endif
#endif
