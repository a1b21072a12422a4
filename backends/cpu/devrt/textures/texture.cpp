// Texture fetches (abi/musa_texture_abi.h).
//
//   coordinates -> level -> (face or layer) -> indices by address mode -> elements
//              -> channels as floats -> weighted by 1.8 fixed point -> texel
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cpu/devrt/export.h"
#include "cpu/devrt/textures/texture_image.h"

namespace musashim::devrt {

namespace {

const MusaTexture& textureAt(uint64_t handle) { return *reinterpret_cast<const MusaTexture*>(handle); }

// Whether results are floats; if not, they are integers as stored, never filtered.
bool givesFloats(const MusaTexture& texture) {
  return texture.format.kind == MUSA_CHANNEL_FLOAT || texture.normalized_result != 0;
}

const char* elementAt(const MusaTexture& texture, const MusaImageLevel& level, int32_t x, int32_t y,
                      int32_t z) {
  return level.base + static_cast<uint64_t>(z) * level.slice_bytes +
         static_cast<uint64_t>(y) * level.row_bytes + static_cast<uint64_t>(x) * texture.format.bytes;
}

float channelAsFloat(const MusaTexture& texture, const char* from, unsigned channel) {
  uint32_t raw = rawChannel(texture.format, from);
  if (texture.format.kind == MUSA_CHANNEL_FLOAT) {
    float value;
    memcpy(&value, &raw, sizeof value);
    return value;
  }
  float value = normalizedChannel(texture.format, raw);
  return texture.srgb && channel < 3 ? srgbToLinear(raw) : value;
}

// The element as floats; the border where an index is negative.
Color colorAt(const MusaTexture& texture, const MusaImageLevel& level, int32_t x, int32_t y, int32_t z) {
  Color color{};
  if ((x | y | z) < 0) {
    memcpy(color.channel, texture.border, sizeof color.channel);
    return color;
  }
  const char* from = elementAt(texture, level, x, y, z);
  const unsigned step = texture.format.bits / 8;
  for (unsigned c = 0; c < texture.format.channels; ++c) {
    color.channel[c] = channelAsFloat(texture, from + c * step, c);
  }
  return color;
}

// The element as it is.
MusaTexel rawTexel(const MusaTexture& texture, const MusaImageLevel& level, int32_t x, int32_t y, int32_t z) {
  MusaTexel texel{};  // channels that the format lacks are 0
  if ((x | y | z) < 0) {
    for (unsigned c = 0; c < 4; ++c) texel.channel[c] = static_cast<uint32_t>(texture.border[c]);
    return texel;
  }
  const char* from = elementAt(texture, level, x, y, z);
  const unsigned step = texture.format.bits / 8;
  for (unsigned c = 0; c < texture.format.channels; ++c) {
    texel.channel[c] = rawChannel(texture.format, from + c * step);
  }
  return texel;
}

MusaTexel texelOf(const Color& color) {
  MusaTexel texel;
  memcpy(texel.channel, color.channel, sizeof texel.channel);
  return texel;
}

void addWeighted(Color& sum, const Color& color, float weight) {
  for (unsigned c = 0; c < 4; ++c) sum.channel[c] += weight * color.channel[c];
}

// A place in one level: coordinates in elements, and the slice where it is not a coordinate.
struct Place {
  float x = 0, y = 0, z = 0;
  int32_t slice = 0;
  uint32_t image = MUSA_IMAGE_2D;
};

// The weights of the eight neighbours (x in bit 0, y in bit 1, z in bit 2), in 1/256, as
// H200 has them: products are rounded to 8 bits, and what remains goes to the lower one.
void neighbourWeights(const Span& x, const Span& y, const Span& z, uint32_t (&weights)[8]) {
  auto product = [](uint32_t a, uint32_t b) { return (a * b + 128) >> 8; };
  const uint32_t far = product(x.weight, z.weight);
  const uint32_t columns[4] = {256 - x.weight - z.weight + far, x.weight - far, z.weight - far, far};
  for (unsigned n = 0; n < 4; ++n) {
    const unsigned corner = (n & 1) | ((n & 2) << 1);
    weights[corner | 2] = product(columns[n], y.weight);
    weights[corner] = columns[n] - weights[corner | 2];
  }
}

// A filtered channel has no more places than the format's: 16 bits of fractions, or a half's.
float roundedResult(const MusaTexture& texture, double value) {
  if (texture.format.kind == MUSA_CHANNEL_UNSIGNED) {
    return static_cast<float>(std::floor(value * 65535.0 + 0.5) / 65535.0);
  }
  if (texture.format.kind == MUSA_CHANNEL_SIGNED) {
    return static_cast<float>(std::round(value * 32767.0) / 32767.0);
  }
  return texture.format.bits == 16 ? roundToHalf(static_cast<float>(value)) : static_cast<float>(value);
}

Color filtered(const MusaTexture& texture, const MusaImageLevel& level, const Place& place) {
  const Span x = linearSpan(place.x, static_cast<int32_t>(level.width), texture.address[0]);
  Span y, z{place.slice, place.slice, 0};
  if (place.image == MUSA_IMAGE_1D) {
    y = linearSpan(0, 1, texture.address[1]);  // at the edge: half of it is border, where there is one
  } else {
    y = linearSpan(place.y, static_cast<int32_t>(level.height), texture.address[1]);
  }
  if (place.image == MUSA_IMAGE_3D)
    z = linearSpan(place.z, static_cast<int32_t>(level.depth), texture.address[2]);
  // In the middle of an element: most programs that filter images ask for whole ones.
  if ((x.weight | y.weight | z.weight) == 0 && texture.format.kind == MUSA_CHANNEL_FLOAT)
    return colorAt(texture, level, x.low, y.low, z.low);
  uint32_t weights[8];
  neighbourWeights(x, y, z, weights);
  double sums[4] = {};
  for (unsigned corner = 0; corner < 8; ++corner) {
    if (weights[corner] == 0) continue;
    const Color color = colorAt(texture, level, (corner & 1) ? x.high : x.low, (corner & 2) ? y.high : y.low,
                                (corner & 4) ? z.high : z.low);
    for (unsigned c = 0; c < 4; ++c) sums[c] += weights[corner] * double{color.channel[c]};
  }
  Color result;
  for (unsigned c = 0; c < 4; ++c) result.channel[c] = roundedResult(texture, sums[c] / 256);
  return result;
}

struct Index {
  int32_t x, y, z;
};

Index nearest(const MusaTexture& texture, const MusaImageLevel& level, const Place& place) {
  Index index{pointIndex(place.x, static_cast<int32_t>(level.width), texture.address[0]), 0, place.slice};
  if (place.image != MUSA_IMAGE_1D) {
    index.y = pointIndex(place.y, static_cast<int32_t>(level.height), texture.address[1]);
  }
  if (place.image == MUSA_IMAGE_3D) {
    index.z = pointIndex(place.z, static_cast<int32_t>(level.depth), texture.address[2]);
  }
  return index;
}

MusaTexel sampleLevel(const MusaTexture& texture, const MusaImageLevel& level, Place place) {
  if (texture.normalized_coordinates && place.image != MUSA_IMAGE_CUBE) {
    place.x *= static_cast<float>(level.width);
    place.y *= static_cast<float>(level.height);
    place.z *= static_cast<float>(level.depth);
  }
  if (place.image == MUSA_IMAGE_CUBE) {
    place.x *= static_cast<float>(level.width);
    place.y *= static_cast<float>(level.height);
  }
  if (texture.linear) return texelOf(filtered(texture, level, place));
  Index index = nearest(texture, level, place);
  if (givesFloats(texture)) return texelOf(colorAt(texture, level, index.x, index.y, index.z));
  return rawTexel(texture, level, index.x, index.y, index.z);
}

Color colorOf(const MusaTexel& texel) {
  Color color;
  memcpy(color.channel, texel.channel, sizeof color.channel);
  return color;
}

MusaTexel sampleAtLod(const MusaTexture& texture, const Place& place, float lod) {
  const auto top = static_cast<float>(texture.level_count - 1);
  lod = std::clamp(lod + texture.level_bias, texture.level_low, texture.level_high);
  lod = std::isnan(lod) ? 0.0f : std::clamp(lod, 0.0f, top);
  if (!texture.level_linear || !givesFloats(texture)) {
    return sampleLevel(texture, texture.levels[static_cast<unsigned>(std::floor(lod + 0.5f))], place);
  }
  const float fixed = std::floor(lod * 256.0f) / 256.0f;
  const auto low = static_cast<unsigned>(fixed);
  const float weight = fixed - static_cast<float>(low);
  MusaTexel first = sampleLevel(texture, texture.levels[low], place);
  if (weight == 0.0f) return first;
  Color sum{{0, 0, 0, 0}};
  addWeighted(sum, colorOf(first), 1.0f - weight);
  addWeighted(sum, colorOf(sampleLevel(texture, texture.levels[low + 1], place)), weight);
  return texelOf(sum);
}

// Layers outside are the last one: negative numbers count as large.
int32_t layerIn(int32_t layer, int32_t layers) { return layer < 0 || layer >= layers ? layers - 1 : layer; }

// The face that a direction meets, and where, in [0, 1].
void projectOnCube(Place& place) {
  const float x = place.x, y = place.y, z = place.z;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float major, s, t;
  int32_t face;
  // Of equally long ones z decides before y before x.
  if (az >= ax && az >= ay) {
    face = 4 + (z < 0), major = az, s = z < 0 ? -x : x, t = -y;
  } else if (ay >= ax) {
    face = 2 + (y < 0), major = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = x < 0, major = ax, s = x < 0 ? z : -z, t = -y;
  }
  place.x = (s / major + 1.0f) / 2.0f;
  place.y = (t / major + 1.0f) / 2.0f;
  place.slice = place.slice * 6 + face;
}

}  // namespace

}  // namespace musashim::devrt

using namespace musashim::devrt;

extern "C" {

MUSADEVRT_API MusaTexel __musa_texture_element(uint64_t handle, int32_t index) {
  const MusaTexture& texture = textureAt(handle);
  const MusaImageLevel& level = texture.levels[0];
  if (index < 0 || static_cast<uint32_t>(index) >= level.width) return {{0, 0, 0, 0}};
  if (givesFloats(texture)) return texelOf(colorAt(texture, level, index, 0, 0));
  return rawTexel(texture, level, index, 0, 0);
}

MUSADEVRT_API MusaTexel __musa_texture_2d(uint64_t handle, float x, float y) {
  const MusaTexture& texture = textureAt(handle);
  return sampleLevel(texture, texture.levels[0], {.x = x, .y = y});
}

MUSADEVRT_API MusaTexel __musa_texture(uint64_t handle, uint32_t image, float x, float y, float z,
                                       int32_t layer, float lod) {
  const MusaTexture& texture = textureAt(handle);
  Place place{.x = x, .y = y, .z = z, .slice = 0, .image = image};
  const auto slices = static_cast<int32_t>(texture.levels[0].depth);
  if (image == MUSA_IMAGE_CUBE) {
    place.slice = layerIn(layer, slices / 6);
    projectOnCube(place);
  } else if (image != MUSA_IMAGE_3D) {
    place.slice = layerIn(layer, slices);
  }
  if (texture.level_count == 1) return sampleLevel(texture, texture.levels[0], place);
  return sampleAtLod(texture, place, lod);
}

MUSADEVRT_API MusaTexel __musa_texture_gather(uint64_t handle, float x, float y, int32_t channel) {
  const MusaTexture& texture = textureAt(handle);
  const MusaImageLevel& level = texture.levels[0];
  if (texture.normalized_coordinates) {
    x *= static_cast<float>(level.width);
    y *= static_cast<float>(level.height);
  }
  const Span columns = linearSpan(x, static_cast<int32_t>(level.width), texture.address[0]);
  const Span rows = linearSpan(y, static_cast<int32_t>(level.height), texture.address[1]);
  const Index corners[4] = {{columns.low, rows.high, 0},
                            {columns.high, rows.high, 0},
                            {columns.high, rows.low, 0},
                            {columns.low, rows.low, 0}};
  MusaTexel gathered;
  for (unsigned i = 0; i < 4; ++i) {
    const Index& at = corners[i];
    MusaTexel texel = givesFloats(texture) ? texelOf(colorAt(texture, level, at.x, at.y, at.z))
                                           : rawTexel(texture, level, at.x, at.y, at.z);
    gathered.channel[i] = texel.channel[channel & 3];
  }
  return gathered;
}

}  // extern "C"
