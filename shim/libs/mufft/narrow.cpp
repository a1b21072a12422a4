#include "libs/mufft/narrow.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace musashim::mufft {
namespace {

using libs::Transform;
using libs::TransformKind;

float widened(uint16_t bits, Narrow type) {
  if (type == Narrow::kBfloat16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}

uint16_t narrowed(float value, Narrow type) {
  if (type == Narrow::kHalf) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// The elements of one side, in their order: visit(place in memory, number). A real element is one float, a
// complex one two.
template <class Visit>
void eachElement(const Transform& t, const ptrdiff_t* distances, bool isHalved, Visit visit) {
  size_t length[Transform::kMostDimensions] = {1, 1, 1, 1};
  ptrdiff_t distance[Transform::kMostDimensions] = {};
  for (size_t axis = 0; axis < t.dimensions; ++axis) {
    length[axis] = t.length[axis];
    distance[axis] = distances[axis];
  }
  if (isHalved) length[t.dimensions - 1] = length[t.dimensions - 1] / 2 + 1;
  ptrdiff_t number = 0;
  for (size_t i = 0; i < length[0]; ++i)
    for (size_t j = 0; j < length[1]; ++j)
      for (size_t k = 0; k < length[2]; ++k)
        for (size_t l = 0; l < length[3]; ++l)
          visit(static_cast<ptrdiff_t>(i) * distance[0] + static_cast<ptrdiff_t>(j) * distance[1] +
                    static_cast<ptrdiff_t>(k) * distance[2] + static_cast<ptrdiff_t>(l) * distance[3],
                number++);
}

// The distances of a side without gaps, and how many elements it has.
size_t packed(const Transform& t, bool isHalved, ptrdiff_t* distances) {
  size_t count = 1;
  for (size_t axis = t.dimensions; axis-- > 0;) {
    distances[axis] = static_cast<ptrdiff_t>(count);
    count *= isHalved && axis + 1 == t.dimensions ? t.length[axis] / 2 + 1 : t.length[axis];
  }
  return count;
}

}  // namespace

void transformNarrow(const Transform& t, Narrow type, const void* in, void* out) {
  const bool takesReal = t.kind == TransformKind::kRealToComplex,
             givesReal = t.kind == TransformKind::kComplexToReal;
  const ptrdiff_t ofIn = takesReal ? 1 : 2, ofOut = givesReal ? 1 : 2;  // floats of an element
  Transform wide = t;
  std::vector<float> from(packed(t, givesReal, wide.in) * static_cast<size_t>(ofIn));
  std::vector<float> to(packed(t, takesReal, wide.out) * static_cast<size_t>(ofOut));
  eachElement(t, t.in, givesReal, [&](ptrdiff_t place, ptrdiff_t number) {
    for (ptrdiff_t part = 0; part < ofIn; ++part)
      from[static_cast<size_t>(number * ofIn + part)] =
          widened(static_cast<const uint16_t*>(in)[place * ofIn + part], type);
  });
  libs::transform(wide, from.data(), to.data());
  eachElement(t, t.out, takesReal, [&](ptrdiff_t place, ptrdiff_t number) {
    for (ptrdiff_t part = 0; part < ofOut; ++part)
      static_cast<uint16_t*>(out)[place * ofOut + part] =
          narrowed(to[static_cast<size_t>(number * ofOut + part)], type);
  });
}

}  // namespace musashim::mufft
