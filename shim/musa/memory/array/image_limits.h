// How large images may be: what arrays and texture objects are checked against, and device attributes tell.
// As a GPU of compute capability 9.0 has them (CUDA programming guide, technical specifications).
#pragma once

#include <cstddef>

#include "musa.h"

namespace musashim::musa::limits {

// 1: there is no such dimension.
struct Image {
  size_t width, height, depth;
};

inline constexpr Image kLine{131072, 1, 1}, kSurfaceLine{32768, 1, 1}, kMipmappedLine{32768, 1, 1},
    kLayeredLine{32768, 1, 2048};
inline constexpr Image kPlane{131072, 65536, 1}, kGatheredPlane{32768, 32768, 1},
    kMipmappedPlane{32768, 32768, 1}, kLayeredPlane{32768, 32768, 2048};
inline constexpr Image kSolid{16384, 16384, 16384};
// The depth counts faces.
inline constexpr Image kCube{32768, 32768, 6}, kLayeredCube{32768, 32768, 2046};

// Textures of plain memory, in elements; a pitch has bytes.
inline constexpr size_t kLinearMemory = size_t{1} << 28;
inline constexpr Image kPitchedMemory{131072, 65000, 1};
inline constexpr size_t kPitch = 2097120;

// Of an array of that shape and flags.
constexpr Image imageOf(const MUSA_ARRAY3D_DESCRIPTOR& shape, bool mipmapped) {
  auto has = [&](unsigned flag) { return (shape.Flags & flag) != 0; };
  if (has(MUSA_ARRAY3D_CUBEMAP)) return has(MUSA_ARRAY3D_LAYERED) ? kLayeredCube : kCube;
  if (has(MUSA_ARRAY3D_LAYERED)) return shape.Height == 0 ? kLayeredLine : kLayeredPlane;
  if (shape.Depth != 0) return kSolid;
  if (shape.Height == 0) {
    return mipmapped ? kMipmappedLine : has(MUSA_ARRAY3D_SURFACE_LDST) ? kSurfaceLine : kLine;
  }
  return mipmapped ? kMipmappedPlane : has(MUSA_ARRAY3D_TEXTURE_GATHER) ? kGatheredPlane : kPlane;
}

}  // namespace musashim::musa::limits
