// Texture and surface objects: from the API's descriptions to what device code reads.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"
#include "musa/memory/array/image.h"
#include "musa/memory/array/image_limits.h"

namespace musashim::musa {
namespace {

constexpr unsigned kTextureFlags = MU_TRSF_READ_AS_INTEGER | MU_TRSF_NORMALIZED_COORDINATES | MU_TRSF_SRGB |
                                   MU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | MU_TRSF_SEAMLESS_CUBEMAP;
// What device memory must be aligned to for a texture.
constexpr size_t kTextureAlignment = 256, kPitchAlignment = 32;

Result findArray(MUarray handle, Array*& array) {
  array = driver().arrays.get(handle);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, fmt::format("no array {}", fmt::ptr(handle)));
  return {};
}

Result useArray(const MUSA_RESOURCE_DESC& resource, MusaTexture& texture) {
  Array* array = nullptr;

  MUSA_TRY(findArray(resource.res.array.hArray, array));
  texture.levels[0] = array->image;
  texture.level_count = 1;
  texture.format = array->format;
  return {};
}

Result useMipmap(const MUSA_RESOURCE_DESC& resource, MusaTexture& texture) {
  MipmappedArray* array = driver().mipmappedArrays.get(resource.res.mipmap.hMipmappedArray);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, "no mipmapped array");
  texture.level_count = static_cast<uint32_t>(array->levels.size());
  for (size_t i = 0; i < array->levels.size(); ++i) texture.levels[i] = array->levels[i]->image;
  texture.format = array->levels[0]->format;
  return {};
}

// The range must be memory that devices reach.
Result checkMemory(MUdeviceptr address, size_t bytes, size_t alignment) {
  auto allocation = driver().allocations().find(address);
  MUSA_REQUIRE(address && allocation && allocation->contains(address, bytes), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes at {:#x} are not of one allocation", bytes, address));
  MUSA_REQUIRE(address % alignment == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{:#x} is not a multiple of {}", address, alignment));
  return {};
}

Result useLinear(const MUSA_RESOURCE_DESC& resource, MusaTexture& texture) {
  const auto& linear = resource.res.linear;
  MUSA_TRY(elementFormat(linear.format, linear.numChannels, texture.format));
  const size_t elements = linear.sizeInBytes / texture.format.bytes;
  MUSA_REQUIRE(elements != 0 && elements <= limits::kLinearMemory, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} elements", elements));
  // Its end may lie behind the allocation's, as an H200 has it: only what is read there matters.
  MUSA_TRY(checkMemory(linear.devPtr, texture.format.bytes, kTextureAlignment));
  MusaImageLevel& image = texture.levels[0];
  image.base = static_cast<char*>(toPointer(linear.devPtr));
  image.width = static_cast<uint32_t>(elements);
  image.height = image.depth = 1;
  image.row_bytes = image.slice_bytes = elements * texture.format.bytes;
  texture.level_count = 1;
  return {};
}

Result usePitched(const MUSA_RESOURCE_DESC& resource, MusaTexture& texture) {
  const auto& pitched = resource.res.pitch2D;
  MUSA_TRY(elementFormat(pitched.format, pitched.numChannels, texture.format));
  const size_t row = pitched.width * texture.format.bytes;
  MUSA_REQUIRE(pitched.width != 0 && pitched.height != 0 && pitched.width <= limits::kPitchedMemory.width &&
                   pitched.height <= limits::kPitchedMemory.height && pitched.pitchInBytes <= limits::kPitch,
               MUSA_ERROR_INVALID_VALUE, fmt::format("{} x {} elements", pitched.width, pitched.height));
  MUSA_REQUIRE(pitched.pitchInBytes >= row && pitched.pitchInBytes % kPitchAlignment == 0,
               MUSA_ERROR_INVALID_VALUE,
               fmt::format("rows of {} bytes at a pitch of {}", row, pitched.pitchInBytes));
  MUSA_TRY(checkMemory(pitched.devPtr, pitched.pitchInBytes * (pitched.height - 1) + row, kTextureAlignment));
  MusaImageLevel& image = texture.levels[0];
  image.base = static_cast<char*>(toPointer(pitched.devPtr));
  image.width = static_cast<uint32_t>(pitched.width);
  image.height = static_cast<uint32_t>(pitched.height);
  image.depth = 1;
  image.row_bytes = pitched.pitchInBytes;
  image.slice_bytes = pitched.pitchInBytes * pitched.height;
  texture.level_count = 1;
  return {};
}

Result useResource(const MUSA_RESOURCE_DESC& resource, MusaTexture& texture) {
  switch (resource.resType) {
    case MU_RESOURCE_TYPE_ARRAY:
      return useArray(resource, texture);
    case MU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return useMipmap(resource, texture);
    case MU_RESOURCE_TYPE_LINEAR:
      return useLinear(resource, texture);
    case MU_RESOURCE_TYPE_PITCH2D:
      return usePitched(resource, texture);
  }
  return {MUSA_ERROR_INVALID_VALUE,
          fmt::format("unknown kind of resource {}", static_cast<int>(resource.resType))};
}

Result checkDescription(const MUSA_TEXTURE_DESC& description, const MusaTexture& texture) {
  const bool floats = texture.format.kind == MUSA_CHANNEL_FLOAT || texture.normalized_result;
  for (MUaddress_mode mode : description.addressMode) {
    MUSA_REQUIRE(mode >= MU_TR_ADDRESS_MODE_WRAP && mode <= MU_TR_ADDRESS_MODE_BORDER,
                 MUSA_ERROR_INVALID_VALUE, fmt::format("unknown address mode {}", static_cast<int>(mode)));
  }
  for (MUfilter_mode mode : {description.filterMode, description.mipmapFilterMode}) {
    MUSA_REQUIRE(mode == MU_TR_FILTER_MODE_POINT || mode == MU_TR_FILTER_MODE_LINEAR,
                 MUSA_ERROR_INVALID_VALUE, fmt::format("unknown filter mode {}", static_cast<int>(mode)));
  }
  MUSA_REQUIRE((description.flags & ~kTextureFlags) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", description.flags));
  MUSA_REQUIRE(!texture.linear || floats, MUSA_ERROR_INVALID_VALUE, "integers cannot be filtered");
  return {};
}

void describe(const MUSA_TEXTURE_DESC& description, MusaTexture& texture) {
  const bool normalized = (description.flags & MU_TRSF_NORMALIZED_COORDINATES) != 0;
  const bool integer = texture.format.kind != MUSA_CHANNEL_FLOAT;
  texture.linear = description.filterMode == MU_TR_FILTER_MODE_LINEAR;
  texture.level_linear = description.mipmapFilterMode == MU_TR_FILTER_MODE_LINEAR;
  texture.normalized_coordinates = normalized;
  // 32-bit integers have no normalized form.
  texture.normalized_result =
      integer && texture.format.bits < 32 && (description.flags & MU_TRSF_READ_AS_INTEGER) == 0;
  texture.srgb = (description.flags & MU_TRSF_SRGB) != 0 && texture.format.bits == 8;
  texture.seamless = (description.flags & MU_TRSF_SEAMLESS_CUBEMAP) != 0;
  for (int i = 0; i < 3; ++i) {
    const MUaddress_mode mode = description.addressMode[i];
    // Wrapping and mirroring are of normalized coordinates; without them, images are clamped to.
    const bool periodic = mode == MU_TR_ADDRESS_MODE_WRAP || mode == MU_TR_ADDRESS_MODE_MIRROR;
    texture.address[i] = static_cast<uint8_t>(periodic && !normalized ? MU_TR_ADDRESS_MODE_CLAMP : mode);
  }
  memcpy(texture.border, description.borderColor, sizeof texture.border);
  texture.level_bias = description.mipmapLevelBias;
  texture.level_low = description.minMipmapLevelClamp;
  texture.level_high = std::max(description.maxMipmapLevelClamp, description.minMipmapLevelClamp);
}

// A part of the levels and layers.
Result applyView(const MUSA_RESOURCE_VIEW_DESC& view, MusaTexture& texture) {
  MUSA_REQUIRE(view.format == MU_RES_VIEW_FORMAT_NONE, MUSA_ERROR_NOT_SUPPORTED,
               "views of another format than the image's");
  MUSA_REQUIRE(
      view.firstMipmapLevel <= view.lastMipmapLevel && view.lastMipmapLevel < texture.level_count,
      MUSA_ERROR_INVALID_VALUE,
      fmt::format("levels {} to {} of {}", view.firstMipmapLevel, view.lastMipmapLevel, texture.level_count));
  MUSA_REQUIRE(
      view.firstLayer <= view.lastLayer && view.lastLayer < texture.levels[0].depth, MUSA_ERROR_INVALID_VALUE,
      fmt::format("layers {} to {} of {}", view.firstLayer, view.lastLayer, texture.levels[0].depth));
  texture.level_count = view.lastMipmapLevel - view.firstMipmapLevel + 1;
  for (uint32_t i = 0; i < texture.level_count; ++i) {
    MusaImageLevel& level = texture.levels[i];
    level = texture.levels[i + view.firstMipmapLevel];
    if (view.lastLayer == 0) continue;
    level.base += view.firstLayer * level.slice_bytes;
    level.depth = view.lastLayer - view.firstLayer + 1;
  }
  return {};
}

}  // namespace

Result createTexture(Context& context, const MUSA_RESOURCE_DESC& resource,
                     const MUSA_TEXTURE_DESC& description, const MUSA_RESOURCE_VIEW_DESC* view,
                     TextureObject*& object) {
  TextureObject made;
  MUSA_TRY(useResource(resource, made.texture));
  describe(description, made.texture);
  MUSA_TRY(checkDescription(description, made.texture));
  if (view) MUSA_TRY(applyView(*view, made.texture));
  made.resource = resource;
  made.description = description;
  made.hasView = view != nullptr;
  if (view) made.view = *view;
  made.context = &context;
  object = driver().textures.create(made);
  return {};
}

Result createSurface(Context& context, const MUSA_RESOURCE_DESC& resource, SurfaceObject*& object) {
  MUSA_REQUIRE(resource.resType == MU_RESOURCE_TYPE_ARRAY, MUSA_ERROR_INVALID_VALUE,
               "surfaces are of arrays");
  Array* array = nullptr;
  MUSA_TRY(findArray(resource.res.array.hArray, array));

  object = driver().surfaces.create(SurfaceObject{{array->image, array->format}, resource, &context});
  return {};
}

}  // namespace musashim::musa
