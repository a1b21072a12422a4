// Arrays and mipmapped arrays.
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "musa/api/driver.h"
#include "musa/memory/array/image.h"
#include "musa/memory/array/image_limits.h"
#include "musa/memory/memory.h"

namespace musashim::musa {
namespace {

constexpr unsigned kFlags =
    MUSA_ARRAY3D_LAYERED | MUSA_ARRAY3D_SURFACE_LDST | MUSA_ARRAY3D_CUBEMAP | MUSA_ARRAY3D_TEXTURE_GATHER;

Result checkCube(const MUSA_ARRAY3D_DESCRIPTOR& shape) {
  const bool layered = (shape.Flags & MUSA_ARRAY3D_LAYERED) != 0;
  MUSA_REQUIRE(shape.Width == shape.Height, MUSA_ERROR_INVALID_VALUE,
               fmt::format("faces of {} x {} are no squares", shape.Width, shape.Height));
  MUSA_REQUIRE(layered ? shape.Depth != 0 && shape.Depth % 6 == 0 : shape.Depth == 6,
               MUSA_ERROR_INVALID_VALUE, fmt::format("{} faces", shape.Depth));
  return {};
}

Result checkShape(const MUSA_ARRAY3D_DESCRIPTOR& shape, bool mipmapped) {
  MUSA_REQUIRE(shape.Width != 0, MUSA_ERROR_INVALID_VALUE, "an array without width");
  MUSA_REQUIRE((shape.Flags & ~kFlags) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", shape.Flags));
  const bool layered = (shape.Flags & MUSA_ARRAY3D_LAYERED) != 0;
  const bool cube = (shape.Flags & MUSA_ARRAY3D_CUBEMAP) != 0;
  const limits::Image most = limits::imageOf(shape, mipmapped);
  MUSA_REQUIRE(shape.Width <= most.width && shape.Height <= most.height && shape.Depth <= most.depth,
               MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} x {} x {} elements of at most {} x {} x {}", shape.Width, shape.Height,
                           shape.Depth, most.width, most.height, most.depth));
  if (cube) return checkCube(shape);
  MUSA_REQUIRE(!layered || shape.Depth != 0, MUSA_ERROR_INVALID_VALUE, "no layers");
  MUSA_REQUIRE(layered || shape.Depth == 0 || shape.Height != 0, MUSA_ERROR_INVALID_VALUE,
               "depth without height");
  const bool gathers = (shape.Flags & MUSA_ARRAY3D_TEXTURE_GATHER) != 0;
  MUSA_REQUIRE(!gathers || (shape.Height != 0 && shape.Depth == 0), MUSA_ERROR_INVALID_VALUE,
               "only images of two dimensions can be gathered from");
  return {};
}

MusaImageLevel imageOf(const MUSA_ARRAY3D_DESCRIPTOR& shape, const MusaElementFormat& format) {
  MusaImageLevel image{};
  image.width = static_cast<uint32_t>(shape.Width);
  image.height = static_cast<uint32_t>(std::max<size_t>(shape.Height, 1));
  image.depth = static_cast<uint32_t>(std::max<size_t>(shape.Depth, 1));
  image.row_bytes = shape.Width * format.bytes;
  image.slice_bytes = image.row_bytes * image.height;
  return image;
}

uint64_t bytesOf(const MusaImageLevel& image) { return image.slice_bytes * image.depth; }

// The shape of a level: halves of the level before, at least 1 where there is any.
MUSA_ARRAY3D_DESCRIPTOR levelShape(MUSA_ARRAY3D_DESCRIPTOR shape, unsigned level) {
  auto halved = [level](size_t size) { return size == 0 ? 0 : std::max<size_t>(size >> level, 1); };
  shape.Width = halved(shape.Width);
  shape.Height = halved(shape.Height);
  const bool depthIsSize = (shape.Flags & (MUSA_ARRAY3D_LAYERED | MUSA_ARRAY3D_CUBEMAP)) == 0;
  if (depthIsSize) shape.Depth = halved(shape.Depth);
  return shape;
}

unsigned mostLevels(const MUSA_ARRAY3D_DESCRIPTOR& shape) {
  const bool depthIsSize = (shape.Flags & (MUSA_ARRAY3D_LAYERED | MUSA_ARRAY3D_CUBEMAP)) == 0;
  const size_t largest = std::max({shape.Width, shape.Height, depthIsSize ? shape.Depth : size_t{0}});
  return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace

Result elementFormat(MUarray_format format, unsigned channels, MusaElementFormat& element) {
  struct Row {
    MUarray_format format;
    uint8_t kind, bits;
  };
  constexpr Row rows[] = {{MU_AD_FORMAT_UNSIGNED_INT8, MUSA_CHANNEL_UNSIGNED, 8},
                          {MU_AD_FORMAT_UNSIGNED_INT16, MUSA_CHANNEL_UNSIGNED, 16},
                          {MU_AD_FORMAT_UNSIGNED_INT32, MUSA_CHANNEL_UNSIGNED, 32},
                          {MU_AD_FORMAT_SIGNED_INT8, MUSA_CHANNEL_SIGNED, 8},
                          {MU_AD_FORMAT_SIGNED_INT16, MUSA_CHANNEL_SIGNED, 16},
                          {MU_AD_FORMAT_SIGNED_INT32, MUSA_CHANNEL_SIGNED, 32},
                          {MU_AD_FORMAT_HALF, MUSA_CHANNEL_FLOAT, 16},
                          {MU_AD_FORMAT_FLOAT, MUSA_CHANNEL_FLOAT, 32}};
  const Row* row = std::ranges::find(rows, format, &Row::format);
  MUSA_REQUIRE(row != std::end(rows) && (channels == 1 || channels == 2 || channels == 4),
               MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} channels of format {:#x}", channels, static_cast<unsigned>(format)));
  element = {row->kind, row->bits, static_cast<uint8_t>(channels),
             static_cast<uint8_t>(row->bits / 8 * channels)};
  return {};
}

Result createArray(Context& context, const MUSA_ARRAY3D_DESCRIPTOR& shape, Array*& array) {
  MusaElementFormat format;
  MUSA_TRY(elementFormat(shape.Format, shape.NumChannels, format));
  MUSA_TRY(checkShape(shape, false));
  MusaImageLevel image = imageOf(shape, format);
  void* memory = nullptr;
  MUSA_TRY(allocateDevice(context, bytesOf(image), memory));
  image.base = static_cast<char*>(memory);
  array = driver().arrays.create(Array{&context, shape, format, image, false});
  return {};
}

Result destroyArray(Array& array) {
  MUSA_REQUIRE(!array.ofMipmap, MUSA_ERROR_INVALID_VALUE, "a level of a mipmapped array");
  MUSA_TRY(freeDevice(array.image.base));
  driver().arrays.destroy(&array);
  return {};
}

Result createMipmappedArray(Context& context, const MUSA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                            MipmappedArray*& array) {
  MusaElementFormat format;
  MUSA_TRY(elementFormat(shape.Format, shape.NumChannels, format));
  MUSA_TRY(checkShape(shape, true));
  // As many as there are, at least one.
  levels = std::clamp(levels, 1u, std::min<unsigned>(mostLevels(shape), MUSA_TEXTURE_LEVELS));
  uint64_t bytes = 0;
  std::vector<MusaImageLevel> images;
  for (unsigned level = 0; level < levels; ++level) {
    images.push_back(imageOf(levelShape(shape, level), format));
    bytes += (bytesOf(images.back()) + 255) & ~uint64_t{255};
  }
  void* memory = nullptr;
  MUSA_TRY(allocateDevice(context, bytes, memory));
  array = driver().mipmappedArrays.create(MipmappedArray{&context, shape, memory, {}});
  char* base = static_cast<char*>(memory);
  for (unsigned level = 0; level < levels; ++level) {
    images[level].base = base;
    base += (bytesOf(images[level]) + 255) & ~uint64_t{255};
    array->levels.push_back(
        driver().arrays.create(Array{&context, levelShape(shape, level), format, images[level], true}));
  }
  return {};
}

Result destroyMipmappedArray(MipmappedArray& array) {
  MUSA_TRY(freeDevice(array.memory));
  for (Array* level : array.levels) driver().arrays.destroy(level);
  driver().mipmappedArrays.destroy(&array);
  return {};
}

void destroyImagesOf(const Context& context) {
  auto end = [&](auto& objects) {
    objects.forEach([&](auto& object) {
      if (object.context == &context) objects.destroy(&object);
    });
  };
  end(driver().textures);
  end(driver().surfaces);
  end(driver().arrays);
  end(driver().mipmappedArrays);
}

}  // namespace musashim::musa
