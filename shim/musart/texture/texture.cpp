// Texture and surface objects.
#include "musart/texture/texture.h"

#include <cstring>

#include "musart/memory/array.h"

using namespace musashim::musart;

namespace {

musaError_t driverResource(const struct musaResourceDesc& from, MUSA_RESOURCE_DESC& to) {
  to = {};
  to.resType = static_cast<MUresourcetype>(from.resType);
  switch (from.resType) {
    case musaResourceTypeArray:
      to.res.array.hArray = toDriver(from.res.array.array);
      return musaSuccess;
    case musaResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = toDriver(from.res.mipmap.mipmap);
      return musaSuccess;
    case musaResourceTypeLinear: {
      auto& linear = to.res.linear;
      linear.devPtr = toDevicePtr(from.res.linear.devPtr);
      linear.sizeInBytes = from.res.linear.sizeInBytes;
      return driverFormat(from.res.linear.desc, linear.format, linear.numChannels);
    }
    case musaResourceTypePitch2D: {
      auto& pitched = to.res.pitch2D;
      pitched.devPtr = toDevicePtr(from.res.pitch2D.devPtr);
      pitched.width = from.res.pitch2D.width;
      pitched.height = from.res.pitch2D.height;
      pitched.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return driverFormat(from.res.pitch2D.desc, pitched.format, pitched.numChannels);
    }
  }
  return musaErrorInvalidValue;
}

void runtimeResource(const MUSA_RESOURCE_DESC& from, struct musaResourceDesc& to) {
  to = {};
  to.resType = static_cast<enum musaResourceType>(from.resType);
  switch (from.resType) {
    case MU_RESOURCE_TYPE_ARRAY:
      to.res.array.array = reinterpret_cast<musaArray_t>(from.res.array.hArray);
      return;
    case MU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = reinterpret_cast<musaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
      return;
    case MU_RESOURCE_TYPE_LINEAR:
      to.res.linear.devPtr = toPointer(from.res.linear.devPtr);
      to.res.linear.desc = runtimeFormat(from.res.linear.format, from.res.linear.numChannels);
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      return;
    case MU_RESOURCE_TYPE_PITCH2D:
      to.res.pitch2D.devPtr = toPointer(from.res.pitch2D.devPtr);
      to.res.pitch2D.desc = runtimeFormat(from.res.pitch2D.format, from.res.pitch2D.numChannels);
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return;
  }
}

// What the runtime alone tells apart: integers that are filtered, and what has no fractions.
musaError_t checkReading(const MUSA_RESOURCE_DESC& resource, const struct musaTextureDesc& texture) {
  MUarray_format format = MU_AD_FORMAT_FLOAT;
  MUSA_ARRAY3D_DESCRIPTOR shape;
  MUarray array = resource.res.array.hArray;
  if (resource.resType == MU_RESOURCE_TYPE_LINEAR) format = resource.res.linear.format;
  if (resource.resType == MU_RESOURCE_TYPE_PITCH2D) format = resource.res.pitch2D.format;
  if (resource.resType == MU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
    MUSART_TRY(muMipmappedArrayGetLevel(&array, resource.res.mipmap.hMipmappedArray, 0));
  }
  if (resource.resType == MU_RESOURCE_TYPE_MIPMAPPED_ARRAY || resource.resType == MU_RESOURCE_TYPE_ARRAY) {
    MUSART_TRY(muArray3DGetDescriptor(&shape, array));
    format = shape.Format;
  }
  const struct musaChannelFormatDesc channel = runtimeFormat(format, 1);
  const bool floats = channel.f == musaChannelFormatKindFloat;
  if (texture.readMode == musaReadModeNormalizedFloat) {
    MUSART_REQUIRE(!floats && channel.x < 32, musaErrorInvalidNormSetting);
  } else {
    MUSART_REQUIRE(floats || texture.filterMode != musaFilterModeLinear, musaErrorInvalidFilterSetting);
  }
  return musaSuccess;
}

MUSA_TEXTURE_DESC driverTexture(const struct musaTextureDesc& from) {
  MUSA_TEXTURE_DESC to = {};
  for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<MUaddress_mode>(from.addressMode[i]);
  to.filterMode = static_cast<MUfilter_mode>(from.filterMode);
  if (from.readMode == musaReadModeElementType) to.flags |= MU_TRSF_READ_AS_INTEGER;
  if (from.normalizedCoords) to.flags |= MU_TRSF_NORMALIZED_COORDINATES;
  if (from.sRGB) to.flags |= MU_TRSF_SRGB;
  if (from.disableTrilinearOptimization) to.flags |= MU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  if (from.seamlessCubemap) to.flags |= MU_TRSF_SEAMLESS_CUBEMAP;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<MUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
  return to;
}

void runtimeTexture(const MUSA_TEXTURE_DESC& from, struct musaTextureDesc& to) {
  to = {};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<enum musaTextureAddressMode>(from.addressMode[i]);
  to.filterMode = static_cast<enum musaTextureFilterMode>(from.filterMode);
  to.readMode = from.flags & MU_TRSF_READ_AS_INTEGER ? musaReadModeElementType : musaReadModeNormalizedFloat;
  to.normalizedCoords = (from.flags & MU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.sRGB = (from.flags & MU_TRSF_SRGB) != 0;
  to.disableTrilinearOptimization = (from.flags & MU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & MU_TRSF_SEAMLESS_CUBEMAP) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<enum musaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
}

MUSA_RESOURCE_VIEW_DESC driverView(const struct musaResourceViewDesc& from) {
  MUSA_RESOURCE_VIEW_DESC to = {};
  to.format = static_cast<MUresourceViewFormat>(from.format);
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  to.firstMipmapLevel = from.firstMipmapLevel;
  to.lastMipmapLevel = from.lastMipmapLevel;
  to.firstLayer = from.firstLayer;
  to.lastLayer = from.lastLayer;
  return to;
}

}  // namespace

musaError_t musashim::musart::createTexture(musaTextureObject_t& object,
                                            const struct musaResourceDesc& resource,
                                            const struct musaTextureDesc& texture,
                                            const struct musaResourceViewDesc* view) {
  MUSA_RESOURCE_DESC driversResource;
  MUSART_TRY(driverResource(resource, driversResource));
  MUSART_TRY(checkReading(driversResource, texture));
  const MUSA_TEXTURE_DESC driversTexture = driverTexture(texture);
  MUSA_RESOURCE_VIEW_DESC driversView = {};
  if (view) driversView = driverView(*view);
  return fromDriver(
      muTexObjectCreate(&object, &driversResource, &driversTexture, view ? &driversView : nullptr));
}

musaError_t musashim::musart::mostLinearElements(int device, size_t& elements) {
  int most = 0;
  MUSART_TRY(muDeviceGetAttribute(&most, MU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, device));
  elements = static_cast<size_t>(most);
  return musaSuccess;
}

musaError_t musashim::musart::createSurface(musaSurfaceObject_t& object,
                                            const struct musaResourceDesc& resource) {
  MUSA_RESOURCE_DESC driversResource;
  MUSART_TRY(driverResource(resource, driversResource));
  return fromDriver(muSurfObjectCreate(&object, &driversResource));
}

extern "C" {

musaError_t musaCreateTextureObject(musaTextureObject_t* pTexObject, const struct musaResourceDesc* pResDesc,
                                    const struct musaTextureDesc* pTexDesc,
                                    const struct musaResourceViewDesc* pResViewDesc) {
  return apiCall(
      "musaCreateTextureObject",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pTexObject && pResDesc, musaErrorInvalidValue);
        MUSART_REQUIRE(pTexDesc, musaErrorInvalidResourceHandle);
        return createTexture(*pTexObject, *pResDesc, *pTexDesc, pResViewDesc);
      },
      pTexObject, pResDesc, pTexDesc, pResViewDesc);
}

musaError_t musaDestroyTextureObject(musaTextureObject_t texObject) {
  return apiCall(
      "musaDestroyTextureObject",
      [&] { return texObject ? fromDriver(muTexObjectDestroy(texObject)) : musaSuccess; }, texObject);
}

musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc* pResDesc,
                                             musaTextureObject_t texObject) {
  return apiCall(
      "musaGetTextureObjectResourceDesc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pResDesc, musaErrorInvalidValue);
        MUSA_RESOURCE_DESC resource;
        MUSART_TRY(muTexObjectGetResourceDesc(&resource, texObject));
        runtimeResource(resource, *pResDesc);
        return musaSuccess;
      },
      pResDesc, texObject);
}

musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc* pTexDesc, musaTextureObject_t texObject) {
  return apiCall(
      "musaGetTextureObjectTextureDesc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pTexDesc, musaErrorInvalidValue);
        MUSA_TEXTURE_DESC texture;
        MUSART_TRY(muTexObjectGetTextureDesc(&texture, texObject));
        runtimeTexture(texture, *pTexDesc);
        return musaSuccess;
      },
      pTexDesc, texObject);
}

musaError_t musaGetTextureObjectResourceViewDesc(struct musaResourceViewDesc* pResViewDesc,
                                                 musaTextureObject_t texObject) {
  return apiCall(
      "musaGetTextureObjectResourceViewDesc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pResViewDesc, musaErrorInvalidValue);
        MUSA_RESOURCE_VIEW_DESC view;
        MUSART_TRY(muTexObjectGetResourceViewDesc(&view, texObject));
        *pResViewDesc = {
            static_cast<int>(view.format), view.width,           view.height,     view.depth,
            view.firstMipmapLevel,         view.lastMipmapLevel, view.firstLayer, view.lastLayer};
        return musaSuccess;
      },
      pResViewDesc, texObject);
}

musaError_t musaCreateSurfaceObject(musaSurfaceObject_t* pSurfObject,
                                    const struct musaResourceDesc* pResDesc) {
  return apiCall(
      "musaCreateSurfaceObject",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pSurfObject && pResDesc, musaErrorInvalidValue);
        return createSurface(*pSurfObject, *pResDesc);
      },
      pSurfObject, pResDesc);
}

musaError_t musaDestroySurfaceObject(musaSurfaceObject_t surfObject) {
  return apiCall(
      "musaDestroySurfaceObject",
      [&] { return surfObject ? fromDriver(muSurfObjectDestroy(surfObject)) : musaSuccess; }, surfObject);
}

musaError_t musaGetSurfaceObjectResourceDesc(struct musaResourceDesc* pResDesc,
                                             musaSurfaceObject_t surfObject) {
  return apiCall(
      "musaGetSurfaceObjectResourceDesc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pResDesc, musaErrorInvalidValue);
        MUSA_RESOURCE_DESC resource;
        MUSART_TRY(muSurfObjectGetResourceDesc(&resource, surfObject));
        runtimeResource(resource, *pResDesc);
        return musaSuccess;
      },
      pResDesc, surfObject);
}

musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                 const struct musaChannelFormatDesc* fmtDesc, int device) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetTexture1DLinearMaxWidth",
      [&]() -> musaError_t {
        MUSART_REQUIRE(maxWidthInElements && fmtDesc, musaErrorInvalidValue);
        MUSART_TRY(checkDevice(device));
        MUarray_format format;
        unsigned channels = 0;
        MUSART_TRY(driverFormat(*fmtDesc, format, channels));
        return mostLinearElements(device, *maxWidthInElements);
      },
      maxWidthInElements, fmtDesc, device);
}

}  // extern "C"
