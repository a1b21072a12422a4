// The elements of one side of a transform, one after the other.
#pragma once

#include <cstddef>

#include "libs/ducc/transform.h"

namespace musashim::mufft {

// Whether a side's last dimension has length / 2 + 1 elements.
inline bool inIsHalved(const libs::Transform& t) { return t.kind == libs::TransformKind::kComplexToReal; }
inline bool outIsHalved(const libs::Transform& t) { return t.kind == libs::TransformKind::kRealToComplex; }

// In their order: visit(place in memory, number).
template <class Visit>
void eachElement(const libs::Transform& t, const ptrdiff_t* distances, bool isHalved, Visit visit) {
  size_t length[libs::Transform::kMostDimensions] = {1, 1, 1, 1};
  ptrdiff_t distance[libs::Transform::kMostDimensions] = {};
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
inline size_t packed(const libs::Transform& t, bool isHalved, ptrdiff_t* distances) {
  size_t count = 1;
  for (size_t axis = t.dimensions; axis-- > 0;) {
    distances[axis] = static_cast<ptrdiff_t>(count);
    count *= isHalved && axis + 1 == t.dimensions ? t.length[axis] / 2 + 1 : t.length[axis];
  }
  return count;
}

// How many elements there are from the first to the last of a side, with those between them that are not its.
inline size_t extent(const libs::Transform& t, const ptrdiff_t* distances, bool isHalved) {
  size_t last = 0;
  for (size_t axis = 0; axis < t.dimensions; ++axis) {
    const size_t length = isHalved && axis + 1 == t.dimensions ? t.length[axis] / 2 + 1 : t.length[axis];
    last += (length - 1) * static_cast<size_t>(distances[axis]);
  }
  return last + 1;
}

}  // namespace musashim::mufft
