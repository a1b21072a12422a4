// Texture and surface objects in the runtime's words, for objects and for references.
#pragma once

#include "musart/runtime.h"

namespace musashim::musart {

// Elements of a texture of linear memory.
inline constexpr size_t kMostLinearElements = size_t{1} << 28;

musaError_t createTexture(musaTextureObject_t& object, const struct musaResourceDesc& resource,
                          const struct musaTextureDesc& texture, const struct musaResourceViewDesc* view);
musaError_t createSurface(musaSurfaceObject_t& object, const struct musaResourceDesc& resource);

}  // namespace musashim::musart
