// Fourier transforms of strided arrays, by ducc.
#pragma once

#include <cstddef>

namespace musashim::libs {

enum class TransformKind { kComplex, kRealToComplex, kComplexToReal };

// One transform for each of a batch. Dimension 0 counts the batch, the others are transformed. Lengths are
// those of real elements where one side is real; its other side has length / 2 + 1 in the last dimension.
// Distances are in elements of the side's own type.
struct Transform {
  static constexpr size_t kMostDimensions = 4;

  TransformKind kind = TransformKind::kComplex;
  bool isDouble = false;
  bool forward = true;  // exp(-2 pi i ...), unscaled like the other direction
  size_t dimensions = 0;
  size_t length[kMostDimensions] = {};
  ptrdiff_t in[kMostDimensions] = {}, out[kMostDimensions] = {};
};

// Whether it may be in place: complex elements must have the same distances on both sides, and where one side
// is real, lines must be without gaps and begin at the same addresses on both.
bool canBeInPlace(const Transform& description);

// On the calling thread. In place (`in` == `out`) it must be one that can be; otherwise the sides must have
// no memory in common. Throws std::bad_alloc.
void transform(const Transform& description, const void* in, void* out);

}  // namespace musashim::libs
