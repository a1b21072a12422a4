#include "libs/mudnn/operations/elementwise/elementwise.h"

#include <algorithm>

#include "libs/mudnn/core/elements.h"
#include "libs/mudnn/core/values.h"

namespace musashim::mudnn {
namespace {

constexpr int64_t kRun = 1024;  // elements at once, which stay in the processor's cache

// The memory itself where it holds V behind each other.
template <class V>
const V* inPlace(const Array& array, bool isContiguous, int64_t begin) {
  return isContiguous && holds<V>(array.element) ? static_cast<const V*>(array.data) + begin : nullptr;
}

template <class V>
void scale(V* values, int64_t count, V factor) {
  for (int64_t i = 0; i < count; ++i) values[i] *= factor;
}

}  // namespace

Kind kindOf(Element element) {
  if (element == Element::kDouble) return Kind::kDouble;
  if (element == Element::kUint64) return Kind::kUnsigned;
  return isFloating(element) || element == Element::kQint8 ? Kind::kFloat : Kind::kSigned;
}

Kind commonKind(std::initializer_list<Array> arrays) {
  bool hasFloat = false, hasSigned = false;
  for (const Array& array : arrays) {
    const Kind kind = kindOf(array.element);
    if (kind == Kind::kDouble) return kind;
    hasFloat |= kind == Kind::kFloat;
    hasSigned |= kind == Kind::kSigned;
  }
  if (hasFloat) return Kind::kFloat;
  return hasSigned ? Kind::kSigned : Kind::kUnsigned;
}

template <class V>
void forElements(const Array& out, std::initializer_list<Array> inputs, const Kernel<V>& kernel) {
  constexpr size_t kMost = 3;
  std::array<Array, kMost> views;
  std::array<bool, kMost> contiguous{};
  size_t count = 0;
  for (const Array& input : inputs) {
    views[count] = broadcast(input, out);
    contiguous[count] = views[count].isContiguous();
    ++count;
  }
  const bool outContiguous = out.isContiguous();
  shareRange(out.count(), 1, [&](int64_t begin, int64_t end) {
    V buffers[kMost + 1][kRun];
    for (int64_t at = begin; at < end; at += kRun) {
      const int64_t run = std::min(kRun, end - at);
      std::array<const V*, kMost> from{};
      for (size_t i = 0; i < count; ++i) {
        from[i] = inPlace<V>(views[i], contiguous[i], at);
        if (from[i]) continue;
        readPart(views[i], at, run, buffers[i]);
        if (views[i].element == Element::kQint8) scale(buffers[i], run, static_cast<V>(views[i].scale));
        from[i] = buffers[i];
      }
      V* const direct = const_cast<V*>(inPlace<V>(out, outContiguous, at));
      V* const to = direct ? direct : buffers[kMost];
      kernel(from.data(), to, run);
      if (direct) continue;
      if (out.element == Element::kQint8) scale(to, run, static_cast<V>(1 / static_cast<double>(out.scale)));
      writePart(out, at, run, to);
    }
  });
}
template void forElements<float>(const Array&, std::initializer_list<Array>, const Kernel<float>&);
template void forElements<double>(const Array&, std::initializer_list<Array>, const Kernel<double>&);
template void forElements<int64_t>(const Array&, std::initializer_list<Array>, const Kernel<int64_t>&);
template void forElements<uint64_t>(const Array&, std::initializer_list<Array>, const Kernel<uint64_t>&);

Work fill(const Scalar& value, const Array& out) {
  return [=] {
    Kind kind = kindOf(out.element);
    if (!value.isInteger && kind == Kind::kSigned) kind = Kind::kDouble;
    withKind(kind, [&]<class V>(V) {
      forElements<V>(out, {}, [&](const V* const*, V* to, int64_t count) {
        std::fill_n(to, count, numberOf<V>(value));
      });
    });
  };
}

Work fillWhere(const Scalar& value, const Array& out, const Array& mask) {
  (void)broadcast(mask, out);
  return [=] {
    const Kind kind = kindOf(out.element);
    withKind(kind, [&]<class V>(V) {
      forElements<V>(out, {out, mask}, [&](const V* const* in, V* to, int64_t count) {
        const V number = numberOf<V>(value);
        for (int64_t i = 0; i < count; ++i) to[i] = in[1][i] != V(0) ? number : in[0][i];
      });
    });
  };
}

}  // namespace musashim::mudnn
