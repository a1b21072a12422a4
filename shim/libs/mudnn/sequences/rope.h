// Rotary position embedding.
#pragma once

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

struct Rotary {
  bool interleaved = false;  // pairs are neighbours
  bool batchFirst = false;   // by batch and place, else by place and batch
  bool latent = false;       // elements of even places first, then of odd ones
  bool backward = false;
};
// in: of two dimensions as said, heads, elements. angles: by place and element.
Work rotary(const Rotary& settings, const Array& out, const Array& in, const Array& angles);

}  // namespace musashim::mudnn
