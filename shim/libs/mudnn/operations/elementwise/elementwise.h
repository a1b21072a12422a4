// One element of the output for one of each input.
#pragma once

#include <mudnncxx/mudnn_elementwise.h>

#include <initializer_list>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

using musa::dnn::Scalar;

// What numbers are computed as.
enum class Kind : uint8_t { kFloat, kDouble, kSigned, kUnsigned };
Kind kindOf(Element element);
Kind commonKind(std::initializer_list<Array> arrays);

// compute(V()) with the type that `kind` computes with.
template <class Compute>
auto withKind(Kind kind, Compute&& compute) {
  switch (kind) {
    case Kind::kFloat:
      return compute(float());
    case Kind::kDouble:
      return compute(double());
    case Kind::kSigned:
      return compute(int64_t());
    default:
      return compute(uint64_t());
  }
}

template <class V>
V numberOf(const Scalar& scalar) {
  if constexpr (std::is_integral_v<V>)
    return static_cast<V>(scalar.integer);
  else
    return scalar.isInteger ? static_cast<V>(scalar.integer) : static_cast<V>(scalar.real);
}

Work unary(musa::dnn::Unary::Mode mode, const Scalar& alpha, const Scalar& beta, const Array& out,
           const Array& in);
Work binary(musa::dnn::Binary::Mode mode, const Scalar& alpha, const Array& out, const Array& l,
            const Array& r);
Work ternary(musa::dnn::Ternary::Mode mode, const Scalar& alpha, const Array& out, const Array& a,
             const Array& b, const Array& c);
Work fill(const Scalar& value, const Array& out);
Work fillWhere(const Scalar& value, const Array& out, const Array& mask);

// kernel(V, inputs, output, count) for pieces of rows, inputs broadcast; quantised numbers as real ones.
template <class V>
using Kernel = std::function<void(const V* const* inputs, V* out, int64_t count)>;
template <class V>
void forElements(const Array& out, std::initializer_list<Array> inputs, const Kernel<V>& kernel);

}  // namespace musashim::mudnn
