// Texture and surface objects in the runtime's words, for objects and for references.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

// How many elements a texture of linear memory can have on a device.
musaError_t mostLinearElements(int device, size_t& elements);

musaError_t createTexture(musaTextureObject_t& object, const struct musaResourceDesc& resource,
                          const struct musaTextureDesc& texture, const struct musaResourceViewDesc* view);
musaError_t createSurface(musaSurfaceObject_t& object, const struct musaResourceDesc& resource);

}  // namespace musashim::musart
