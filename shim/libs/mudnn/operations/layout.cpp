#include "libs/mudnn/operations/layout.h"

#include <algorithm>
#include <stdexcept>

#include "libs/mudnn/operations/elementwise/functions.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

using ScatterMode = musa::dnn::Scatter::Mode;
using PadMode = musa::dnn::Pad::Mode;

// What values are moved as, so that none changes.
Kind movedAs(const Array& array) {
  // Quantised numbers move as the integers that they are.
  return array.element == Element::kQint8 ? Kind::kSigned : kindOf(array.element);
}

int64_t checkedIndex(int64_t index, int64_t size) {
  if (index < -size || index >= size) throw std::out_of_range("an index is out of range");
  return index < 0 ? index + size : index;
}

template <class V>
void blend(ScatterMode mode, V& to, V value) {
  switch (mode) {
    case ScatterMode::UPDATE_ONLY:
      to = value;
      break;
    case ScatterMode::ADD:
      to = static_cast<V>(to + value);
      break;
    case ScatterMode::SUB:
      to = static_cast<V>(to - value);
      break;
    case ScatterMode::MUL:
      to = static_cast<V>(to * value);
      break;
    case ScatterMode::MAX:
      to = larger(to, value);
      break;
    case ScatterMode::MIN:
      to = smaller(to, value);
      break;
  }
}

int64_t product(const Array& array, int begin, int end) {
  int64_t count = 1;
  for (int i = begin; i < end; ++i) count *= array.sizes[static_cast<size_t>(i)];
  return count;
}

}  // namespace

Work copy(const Array& out, const Array& in) {
  require(out.sameSizes(in), "the tensors have different sizes");
  return unary(musa::dnn::Unary::Mode::IDENTITY, 1, 0, out, in);
}

Work concatenate(int wanted, const Array& out, const std::vector<Array>& inputs) {
  const auto axis = static_cast<size_t>(out.axis(wanted));
  std::vector<Work> parts;
  int64_t place = 0;
  for (const Array& input : inputs) {
    if (input.count() == 0) continue;
    require(input.rank == out.rank, "an input has another number of dimensions than the output");
    Array part = out;
    part.sizes[axis] = input.sizes[axis];
    part.data =
        static_cast<char*>(out.data) + place * out.strides[axis] * static_cast<int64_t>(sizeOf(out.element));
    parts.push_back(copy(part, input));
    place += input.sizes[axis];
  }
  require(out.count() == 0 || place == out.sizes[axis], "the inputs do not fill the output");
  return [parts] {
    for (const Work& part : parts) part();
  };
}

Work pad(PadMode mode, const Scalar& value, const std::vector<int>& pads, const Array& out, const Array& in) {
  require(in.rank == out.rank && pads.size() % 2 == 0 && pads.size() / 2 <= static_cast<size_t>(in.rank),
          "the pads do not go with the tensors' dimensions");
  std::vector<int64_t> before(static_cast<size_t>(in.rank));
  for (size_t d = 0; d < static_cast<size_t>(in.rank); ++d) {
    const size_t pair = static_cast<size_t>(in.rank) - 1 - d;
    const int64_t low = pair * 2 < pads.size() ? pads[pair * 2] : 0,
                  high = pair * 2 < pads.size() ? pads[pair * 2 + 1] : 0;
    before[d] = low;
    require(out.sizes[d] == in.sizes[d] + low + high, "the output's sizes are not those with the pads");
    require(mode != PadMode::REFLECT || (low < in.sizes[d] && high < in.sizes[d]),
            "a reflected pad is as long as the input");
    require(mode == PadMode::CONSTANT || (in.sizes[d] > 0 && low >= 0 && high >= 0),
            "a pad is negative, or there is nothing to repeat");
  }
  return [=] {
    withKind(movedAs(in), [&]<class V>(V) {
      const Input<V> from(in);
      Output<V> to(out);
      const V constant =
          std::is_integral_v<V> && !value.isInteger ? static_cast<V>(value.real) : numberOf<V>(value);
      shareRange(out.count(), in.rank, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; ++at) {
          int64_t rest = at, index = 0, unit = 1;
          bool inside = true;
          for (size_t d = static_cast<size_t>(in.rank); d-- > 0;) {
            int64_t i = rest % out.sizes[d] - before[d];
            rest /= out.sizes[d];
            const int64_t last = in.sizes[d] - 1;
            if (mode == PadMode::REPLICATE) i = std::clamp<int64_t>(i, 0, last);
            if (mode == PadMode::REFLECT) i = i < 0 ? -i : (i > last ? 2 * last - i : i);
            inside = inside && i >= 0 && i <= last;
            index += i * unit;
            unit *= in.sizes[d];
          }
          to[at] = inside ? from[index] : constant;
        }
      });
      to.store();
    });
  };
}

Work gather(int wanted, int batchDims, const Array& out, const Array& indices, const Array& in) {
  const int axis = in.axis(wanted);
  require(batchDims >= 0 && batchDims <= axis && batchDims <= indices.rank,
          "there are not as many batch dimensions");
  require(kindOf(indices.element) == Kind::kSigned, "indices are integers");
  const int64_t batches = product(in, 0, batchDims), outer = product(in, batchDims, axis),
                size = in.sizes[static_cast<size_t>(axis)], inner = product(in, axis + 1, in.rank),
                chosen = product(indices, batchDims, indices.rank);
  require(product(indices, 0, batchDims) == batches, "the batches of indices and input are different");
  require(out.count() == batches * outer * chosen * inner,
          "the output's sizes are not those of what is gathered");
  return [=] {
    const Input<int64_t> places(indices);
    withKind(movedAs(in), [&]<class V>(V) {
      const Input<V> from(in);
      Output<V> to(out);
      shareRange(batches * outer * chosen, inner, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const int64_t block = row / chosen, batch = block / outer;
          const int64_t index = places[batch * chosen + row % chosen];
          V* const target = to.data() + row * inner;
          if (index < 0 || index >= size)
            std::fill_n(target, inner, V(0));
          else
            std::copy_n(from.data() + (block * size + index) * inner, inner, target);
        }
      });
      to.store();
    });
  };
}

Work scatter(ScatterMode mode, int wanted, const Array& out, const Array& indices, const Array& source) {
  const auto axis = static_cast<size_t>(out.axis(wanted));
  require(indices.rank == out.rank && source.rank == out.rank,
          "the tensors have different numbers of dimensions");
  for (size_t d = 0; d < static_cast<size_t>(out.rank); ++d)
    require(indices.sizes[d] <= source.sizes[d] && (d == axis || indices.sizes[d] <= out.sizes[d]),
            "there are more indices than elements");
  require(kindOf(indices.element) == Kind::kSigned, "indices are integers");
  Array part = source;
  part.sizes = indices.sizes;
  return [=] {
    const Input<int64_t> places(indices);
    withKind(movedAs(out), [&]<class V>(V) {
      const Input<V> from(part);
      Output<V> to(out, Output<V>::Content::kKeep);
      const Array dense = contiguousArray(Element::kFloat, nullptr, out.rank, out.sizes.data());
      for (int64_t at = 0; at < indices.count(); ++at) {
        int64_t rest = at, offset = 0;
        for (size_t d = static_cast<size_t>(out.rank); d-- > 0;) {
          const int64_t i = d == axis ? checkedIndex(places[at], out.sizes[d]) : rest % indices.sizes[d];
          rest /= indices.sizes[d];
          offset += i * dense.strides[d];
        }
        blend(mode, to[offset], from[at]);
      }
      to.store();
    });
  };
}

Work scatterSlices(ScatterMode mode, const Array& out, const Array& indices, const Array& updates) {
  require(indices.rank >= 1, "the indices have no dimension");
  const int64_t depth = indices.sizes[static_cast<size_t>(indices.rank - 1)];
  require(depth >= 1 && depth <= out.rank, "an index has more places than the output dimensions");
  require(kindOf(indices.element) == Kind::kSigned, "indices are integers");
  const int64_t slice = product(out, static_cast<int>(depth), out.rank), count = indices.count() / depth;
  require(updates.count() == count * slice, "the updates have other sizes than the slices");
  return [=] {
    const Input<int64_t> places(indices);
    withKind(movedAs(out), [&]<class V>(V) {
      const Input<V> from(updates);
      Output<V> to(out, Output<V>::Content::kKeep);
      for (int64_t i = 0; i < count; ++i) {
        int64_t at = 0;
        for (int64_t d = 0; d < depth; ++d) {
          const int64_t size = out.sizes[static_cast<size_t>(d)];
          at = at * size + checkedIndex(places[i * depth + d], size);
        }
        for (int64_t j = 0; j < slice; ++j) blend(mode, to[at * slice + j], from[i * slice + j]);
      }
      to.store();
    });
  };
}

}  // namespace musashim::mudnn
