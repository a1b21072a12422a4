// Arrays and mipmapped arrays.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/array/image.h"

using namespace musashim::musa;

namespace {

Result makeArray(MUarray* handle, const MUSA_ARRAY3D_DESCRIPTOR& shape) {
  MUSA_REQUIRE(handle, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  Array* array = nullptr;
  MUSA_TRY(createArray(*context, shape, array));
  *handle = reinterpret_cast<MUarray>(array);
  return {};
}

Result findArray(MUarray handle, Array*& array) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  array = driver().arrays.get(handle);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, fmt::format("no array {}", fmt::ptr(handle)));
  return {};
}

Result findMipmap(MUmipmappedArray handle, MipmappedArray*& array) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  array = driver().mipmappedArrays.get(handle);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, fmt::format("no mipmapped array {}", fmt::ptr(handle)));
  return {};
}

}  // namespace

extern "C" {

MUresult muArrayCreate(MUarray* pHandle, const MUSA_ARRAY_DESCRIPTOR* pAllocateArray) {
  return apiCall(
      "muArrayCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pAllocateArray, MUSA_ERROR_INVALID_VALUE, "null pointer");
        const MUSA_ARRAY_DESCRIPTOR& flat = *pAllocateArray;
        return makeArray(pHandle, {flat.Width, flat.Height, 0, flat.Format, flat.NumChannels, 0});
      },
      pHandle, pAllocateArray);
}

MUresult muArray3DCreate(MUarray* pHandle, const MUSA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
  return apiCall(
      "muArray3DCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pAllocateArray, MUSA_ERROR_INVALID_VALUE, "null pointer");
        return makeArray(pHandle, *pAllocateArray);
      },
      pHandle, pAllocateArray);
}

MUresult muArrayGetDescriptor(MUSA_ARRAY_DESCRIPTOR* pArrayDescriptor, MUarray hArray) {
  return apiCall(
      "muArrayGetDescriptor",
      [&]() -> Result {
        MUSA_REQUIRE(pArrayDescriptor, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Array* array = nullptr;
        MUSA_TRY(findArray(hArray, array));
        *pArrayDescriptor = {array->shape.Width, array->shape.Height, array->shape.Format,
                             array->shape.NumChannels};
        return {};
      },
      pArrayDescriptor, hArray);
}

MUresult muArray3DGetDescriptor(MUSA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, MUarray hArray) {
  return apiCall(
      "muArray3DGetDescriptor",
      [&]() -> Result {
        MUSA_REQUIRE(pArrayDescriptor, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Array* array = nullptr;
        MUSA_TRY(findArray(hArray, array));
        *pArrayDescriptor = array->shape;
        return {};
      },
      pArrayDescriptor, hArray);
}

MUresult muArrayDestroy(MUarray hArray) {
  return apiCall(
      "muArrayDestroy",
      [&]() -> Result {
        Array* array = nullptr;
        MUSA_TRY(findArray(hArray, array));
        return destroyArray(*array);
      },
      hArray);
}

MUresult muMipmappedArrayCreate(MUmipmappedArray* pHandle, const MUSA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                unsigned int numMipmapLevels) {
  return apiCall(
      "muMipmappedArrayCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pHandle && pMipmappedArrayDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        MipmappedArray* array = nullptr;
        MUSA_TRY(createMipmappedArray(*context, *pMipmappedArrayDesc, numMipmapLevels, array));
        *pHandle = reinterpret_cast<MUmipmappedArray>(array);
        return {};
      },
      pHandle, pMipmappedArrayDesc, numMipmapLevels);
}

MUresult muMipmappedArrayGetLevel(MUarray* pLevelArray, MUmipmappedArray hMipmappedArray,
                                  unsigned int level) {
  return apiCall(
      "muMipmappedArrayGetLevel",
      [&]() -> Result {
        MUSA_REQUIRE(pLevelArray, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MipmappedArray* array = nullptr;
        MUSA_TRY(findMipmap(hMipmappedArray, array));
        MUSA_REQUIRE(level < array->levels.size(), MUSA_ERROR_INVALID_VALUE,
                     fmt::format("level {} of {}", level, array->levels.size()));
        *pLevelArray = reinterpret_cast<MUarray>(array->levels[level]);
        return {};
      },
      pLevelArray, hMipmappedArray, level);
}

MUresult muMipmappedArrayDestroy(MUmipmappedArray hMipmappedArray) {
  return apiCall(
      "muMipmappedArrayDestroy",
      [&]() -> Result {
        MipmappedArray* array = nullptr;
        MUSA_TRY(findMipmap(hMipmappedArray, array));
        return destroyMipmappedArray(*array);
      },
      hMipmappedArray);
}

}  // extern "C"
