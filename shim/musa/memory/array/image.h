// Arrays, mipmapped arrays, and the texture and surface objects that read and write them.
//
// An array is plain memory of its device, rows and slices without gaps, so every copy
// is one of plain memory. A texture or surface object's handle is the address of the
// descriptor that device code reads (abi/texture_layout.h); the object stays where it
// is until it is destroyed.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "abi/texture_layout.h"
#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;

struct Array {
  Context* context = nullptr;
  MUSA_ARRAY3D_DESCRIPTOR shape{};
  MusaElementFormat format{};
  MusaImageLevel image{};
  bool ofMipmap = false;  // ends with its mipmapped array

  size_t rowBytes() const { return size_t{image.width} * format.bytes; }
};

struct MipmappedArray {
  Context* context = nullptr;
  MUSA_ARRAY3D_DESCRIPTOR shape{};
  void* memory = nullptr;
  std::vector<Array*> levels;
};

// The descriptors come first: handles are their addresses.
struct TextureObject {
  MusaTexture texture{};
  MUSA_RESOURCE_DESC resource{};
  MUSA_TEXTURE_DESC description{};
  MUSA_RESOURCE_VIEW_DESC view{};
  bool hasView = false;
  Context* context = nullptr;
};

struct SurfaceObject {
  MusaSurface surface{};
  MUSA_RESOURCE_DESC resource{};
  Context* context = nullptr;
};

// MUSA_ERROR_INVALID_VALUE for a format that no array has.
Result elementFormat(MUarray_format format, unsigned channels, MusaElementFormat& element);

Result createArray(Context& context, const MUSA_ARRAY3D_DESCRIPTOR& shape, Array*& array);
Result destroyArray(Array& array);
Result createMipmappedArray(Context& context, const MUSA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                            MipmappedArray*& array);
Result destroyMipmappedArray(MipmappedArray& array);

Result createTexture(Context& context, const MUSA_RESOURCE_DESC& resource,
                     const MUSA_TEXTURE_DESC& description, const MUSA_RESOURCE_VIEW_DESC* view,
                     TextureObject*& object);
Result createSurface(Context& context, const MUSA_RESOURCE_DESC& resource, SurfaceObject*& object);

// A context ends: its arrays and objects do; their memory goes with the context's.
void destroyImagesOf(const Context& context);

}  // namespace musashim::musa
