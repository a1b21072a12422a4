#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

size_t sizeOf(Element element) {
  switch (element) {
    case Element::kInt64:
    case Element::kUint64:
    case Element::kDouble:
      return 8;
    case Element::kInt32:
    case Element::kUint32:
    case Element::kFloat:
      return 4;
    case Element::kInt16:
    case Element::kUint16:
    case Element::kHalf:
    case Element::kBfloat16:
      return 2;
    default:
      return 1;
  }
}

bool isFloating(Element element) {
  return (element >= Element::kHalf && element <= Element::kDouble) || element >= Element::kE4m3;
}

int64_t Array::count() const {
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= sizes[static_cast<size_t>(i)];
  return count;
}

bool Array::isContiguous() const {
  int64_t expected = 1;
  for (int i = rank; i-- > 0;) {
    const auto d = static_cast<size_t>(i);
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool Array::sameSizes(const Array& other) const {
  if (rank != other.rank) return false;
  for (size_t i = 0; i < static_cast<size_t>(rank); ++i)
    if (sizes[i] != other.sizes[i]) return false;
  return true;
}

int Array::axis(int64_t index) const {
  require(index >= -rank && index < rank, "there is no such dimension");
  return static_cast<int>(index < 0 ? index + rank : index);
}

Array permuted(const Array& array, const int* order) {
  Array result = array;
  for (int i = 0; i < array.rank; ++i) {
    result.sizes[static_cast<size_t>(i)] = array.sizes[static_cast<size_t>(order[i])];
    result.strides[static_cast<size_t>(i)] = array.strides[static_cast<size_t>(order[i])];
  }
  return result;
}

Array contiguousArray(Element element, void* data, int rank, const int64_t* sizes) {
  Array result;
  result.element = element;
  result.data = data;
  result.rank = rank;
  int64_t stride = 1;
  for (int i = rank; i-- > 0;) {
    const auto d = static_cast<size_t>(i);
    result.sizes[d] = sizes[i];
    result.strides[d] = stride;
    stride *= sizes[i];
  }
  return result;
}

Array broadcast(const Array& array, const Array& like) {
  Array result = array;
  result.rank = like.rank;
  result.sizes = like.sizes;
  result.strides = {};
  for (int i = 0; i < array.rank; ++i) {
    const auto from = static_cast<size_t>(array.rank - 1 - i);
    const int place = like.rank - 1 - i;
    if (place < 0) {
      require(array.sizes[from] == 1, "an input has more dimensions than the output");
      continue;
    }
    const auto to = static_cast<size_t>(place);
    if (array.sizes[from] == like.sizes[to])
      result.strides[to] = array.sizes[from] == 1 ? 0 : array.strides[from];
    else
      require(array.sizes[from] == 1, "an input's sizes do not broadcast to the output's");
  }
  return result;
}

void require(bool condition, const char* text) {
  if (!condition) throw Refusal(Refusal::Kind::kInvalid, text);
}

void requireSupport(bool condition, const char* text) {
  if (!condition) throw Refusal(Refusal::Kind::kNotSupported, text);
}

}  // namespace musashim::mudnn
