// Texture and surface objects.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/array/image.h"
#include "musa/memory/array/image_limits.h"

using namespace musashim::musa;

namespace {

Result findTexture(MUtexObject handle, TextureObject*& object) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  object = driver().textures.get(toPointer(handle));
  MUSA_REQUIRE(object, MUSA_ERROR_INVALID_VALUE, fmt::format("no texture object {:#x}", handle));
  return {};
}

Result findSurface(MUsurfObject handle, SurfaceObject*& object) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  object = driver().surfaces.get(toPointer(handle));
  MUSA_REQUIRE(object, MUSA_ERROR_INVALID_VALUE, fmt::format("no surface object {:#x}", handle));
  return {};
}

}  // namespace

extern "C" {

MUresult muDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements, MUarray_format format,
                                            unsigned numChannels, MUdevice dev) {
  return apiCall(
      "muDeviceGetTexture1DLinearMaxWidth",
      [&]() -> Result {
        MUSA_REQUIRE(maxWidthInElements, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MusaElementFormat element;
        MUSA_TRY(findDevice(dev, device));
        MUSA_TRY(elementFormat(format, numChannels, element));
        *maxWidthInElements = limits::kLinearMemory;
        return {};
      },
      maxWidthInElements, format, numChannels, dev);
}

MUresult muTexObjectCreate(MUtexObject* pTexObject, const MUSA_RESOURCE_DESC* pResDesc,
                           const MUSA_TEXTURE_DESC* pTexDesc, const MUSA_RESOURCE_VIEW_DESC* pResViewDesc) {
  return apiCall(
      "muTexObjectCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pTexObject && pResDesc && pTexDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        TextureObject* object = nullptr;
        MUSA_TRY(createTexture(*context, *pResDesc, *pTexDesc, pResViewDesc, object));
        *pTexObject = toDevicePtr(object);
        return {};
      },
      pTexObject, pResDesc, pTexDesc, pResViewDesc);
}

MUresult muTexObjectDestroy(MUtexObject texObject) {
  return apiCall(
      "muTexObjectDestroy",
      [&]() -> Result {
        TextureObject* object = nullptr;
        MUSA_TRY(findTexture(texObject, object));
        driver().textures.destroy(object);
        return {};
      },
      texObject);
}

MUresult muTexObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUtexObject texObject) {
  return apiCall(
      "muTexObjectGetResourceDesc",
      [&]() -> Result {
        MUSA_REQUIRE(pResDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        TextureObject* object = nullptr;
        MUSA_TRY(findTexture(texObject, object));
        *pResDesc = object->resource;
        return {};
      },
      pResDesc, texObject);
}

MUresult muTexObjectGetTextureDesc(MUSA_TEXTURE_DESC* pTexDesc, MUtexObject texObject) {
  return apiCall(
      "muTexObjectGetTextureDesc",
      [&]() -> Result {
        MUSA_REQUIRE(pTexDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        TextureObject* object = nullptr;
        MUSA_TRY(findTexture(texObject, object));
        *pTexDesc = object->description;
        return {};
      },
      pTexDesc, texObject);
}

MUresult muTexObjectGetResourceViewDesc(MUSA_RESOURCE_VIEW_DESC* pResViewDesc, MUtexObject texObject) {
  return apiCall(
      "muTexObjectGetResourceViewDesc",
      [&]() -> Result {
        MUSA_REQUIRE(pResViewDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        TextureObject* object = nullptr;
        MUSA_TRY(findTexture(texObject, object));
        // Zeros when it was made without one.
        *pResViewDesc = object->view;
        return {};
      },
      pResViewDesc, texObject);
}

MUresult muSurfObjectCreate(MUsurfObject* pSurfObject, const MUSA_RESOURCE_DESC* pResDesc) {
  return apiCall(
      "muSurfObjectCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pSurfObject && pResDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        SurfaceObject* object = nullptr;
        MUSA_TRY(createSurface(*context, *pResDesc, object));
        *pSurfObject = toDevicePtr(object);
        return {};
      },
      pSurfObject, pResDesc);
}

MUresult muSurfObjectDestroy(MUsurfObject surfObject) {
  return apiCall(
      "muSurfObjectDestroy",
      [&]() -> Result {
        SurfaceObject* object = nullptr;
        MUSA_TRY(findSurface(surfObject, object));
        driver().surfaces.destroy(object);
        return {};
      },
      surfObject);
}

MUresult muSurfObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUsurfObject surfObject) {
  return apiCall(
      "muSurfObjectGetResourceDesc",
      [&]() -> Result {
        MUSA_REQUIRE(pResDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        SurfaceObject* object = nullptr;
        MUSA_TRY(findSurface(surfObject, object));
        *pResDesc = object->resource;
        return {};
      },
      pResDesc, surfObject);
}

}  // extern "C"
