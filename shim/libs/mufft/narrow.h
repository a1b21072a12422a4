// Transforms of 16-bit floats: computed as floats, and rounded once.
#pragma once

#include "libs/ducc/transform.h"

namespace musashim::mufft {

enum class Narrow { kNone, kHalf, kBfloat16 };

// As transform(), of elements of 16 bits and pairs of them; `description` is of floats.
void transformNarrow(const libs::Transform& description, Narrow type, const void* in, void* out);

}  // namespace musashim::mufft
