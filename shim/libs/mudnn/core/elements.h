// Elements of any type, read and written in runs as what is computed with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// V: float, double, int64_t or uint64_t. Floats become integers toward zero and saturate, NaN is 0; integers
// become narrower ones by their low bits, except that quantised ones saturate and are rounded to nearest
// even. Half and bfloat16 are rounded to nearest even; 8-bit floats saturate.
template <class V>
void readRun(Element element, const void* from, int64_t stride, int64_t count, V* to);
template <class V>
void writeRun(Element element, const V* from, int64_t count, void* to, int64_t stride);

// Whether memory of such elements holds V as they are.
template <class V>
bool holds(Element element);

}  // namespace musashim::mudnn
