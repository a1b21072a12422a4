#include "libs/mufft/narrow.h"

#include <bit>
#include <cstdint>
#include <vector>

#include "libs/mufft/elements.h"

namespace musashim::mufft {
namespace {

using libs::Transform;

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

}  // namespace

void transformNarrow(const Transform& t, Narrow type, const void* in, void* out) {
  const bool takesReal = outIsHalved(t), givesReal = inIsHalved(t);
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
