// Dropout, and units where a part of the input opens the other.
#pragma once

#include <array>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// Four random numbers: Philox4x32-10.
std::array<uint32_t, 4> philox(uint64_t seed, uint64_t counter);

struct DropoutSettings {
  double probability;
  uint64_t seed, offset;
  const uint64_t *seedAt, *offsetAt;  // in device memory; the seed instead, the offset besides
};
Work dropout(const DropoutSettings& settings, const Array& out, const Array& in, const Array& mask);
Work dropoutBackward(double scale, const Array& gradIn, const Array& gradOut, const Array& mask);

enum class Gate : uint8_t { kSigmoidOfSecond, kSiluOfFirst };
Work gated(Gate gate, int axis, const Array& out, const Array& in);
Work swiGluBackward(const Array& gradIn, const Array& in, const Array& gradOut);

}  // namespace musashim::mudnn
