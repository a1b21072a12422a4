// Fourier transforms of strided arrays, by ducc.
#pragma once

#include <cstddef>

namespace musashim::libs {

enum class TransformKind { kComplex, kRealToComplex, kComplexToReal };

// One transform for each of a batch. Dimension 0 counts the batch, the others are transformed. Lengths are
// those of real elements where one side is real; its other side has length / 2 + 1 in the last dimension.
// Distances are in elements of the side's own type. A transform may be in place if each line of the last
// dimension begins at the same address on both sides.
struct Transform {
  static constexpr size_t kMostDimensions = 4;

  TransformKind kind = TransformKind::kComplex;
  bool isDouble = false;
  bool forward = true;  // exp(-2 pi i ...), unscaled like the other direction
  size_t dimensions = 0;
  size_t length[kMostDimensions] = {};
  ptrdiff_t in[kMostDimensions] = {}, out[kMostDimensions] = {};
};

// On the calling thread. Throws std::bad_alloc.
void transform(const Transform& description, const void* in, void* out);

}  // namespace musashim::libs
