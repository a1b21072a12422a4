#include "libs/mudnn/graph/tensors.h"

#include <cstring>
#include <memory>

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/core/elements.h"

namespace musashim::mudnn::graph {
namespace {

Array plainArray(const TensorShape& shape, void* data) {
  Array array;
  array.element = elementOfType(shape.type);
  array.data = data;
  array.rank = shape.rank;
  array.sizes = shape.sizes;
  array.strides = shape.strides;
  return array;
}

template <class V>
constexpr Element elementFor() {
  return std::is_same_v<V, float> ? Element::kFloat : Element::kDouble;
}

}  // namespace

int64_t TensorShape::count() const {
  int64_t result = 1;
  for (int i = 0; i < rank; ++i) result *= sizes[static_cast<size_t>(i)];
  return result;
}

TensorShape shapeOf(const Descriptor& tensor) {
  TensorShape shape;
  shape.uid = tensor.integer(MUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
  shape.type = static_cast<mudnnDataType_t>(tensor.integer(MUDNN_ATTR_TENSOR_DATA_TYPE, 0));
  const auto sizes = tensor.integers(MUDNN_ATTR_TENSOR_DIMENSIONS);
  const auto strides = tensor.integers(MUDNN_ATTR_TENSOR_STRIDES);
  shape.rank = static_cast<int>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), shape.sizes.begin());
  std::copy(strides.begin(), strides.end(), shape.strides.begin());
  shape.isVirtual = tensor.integer(MUDNN_ATTR_TENSOR_IS_VIRTUAL, 0) != 0;
  shape.isValue = tensor.integer(MUDNN_ATTR_TENSOR_IS_BY_VALUE, 0) != 0;
  const auto constant = tensor.values.find(MUDNN_ATTR_TENSOR_CONSTANT_VALUE);
  if (constant != tensor.values.end()) shape.constant = constant->second.bytes;
  shape.raggedUnit = tensor.integer(MUDNN_ATTR_TENSOR_RAGGED_OFFSET_MULTIPLIER, 1);
  return shape;
}

bool isComputed(mudnnDataType_t type) {
  switch (type) {
    case MUDNN_DATA_INT8x4:
    case MUDNN_DATA_UINT8x4:
    case MUDNN_DATA_INT8x32:
    case MUDNN_DATA_FAST_FLOAT_FOR_FP8:
    case MUDNN_DATA_FP8_E8M0:
    case MUDNN_DATA_FP4_E2M1:
    case MUDNN_DATA_COMPLEX_FP32:
    case MUDNN_DATA_COMPLEX_FP64:
      return false;
    default:
      return true;
  }
}

bool isPlain(mudnnDataType_t type) {
  return type != MUDNN_DATA_BOOLEAN && type != MUDNN_DATA_INT4 && type != MUDNN_DATA_UINT4;
}

Element elementOfType(mudnnDataType_t type) {
  return isComputed(type) && isPlain(type) ? elementOf(type) : Element::kFloat;
}

namespace {

// run(place of the element, its number row by row) for all elements.
template <class Run>
void forPlaces(const TensorShape& shape, Run&& run) {
  Dims index{};
  const int64_t count = shape.count();
  for (int64_t i = 0, place = 0; i < count; ++i) {
    run(place, i);
    for (auto d = static_cast<size_t>(shape.rank); d-- > 0;) {
      place += shape.strides[d];
      if (++index[d] < shape.sizes[d]) break;
      place -= shape.strides[d] * shape.sizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace

template <class V>
void readPacked(const TensorShape& shape, const void* memory, V* to) {
  const auto* const bytes = static_cast<const unsigned char*>(memory);
  forPlaces(shape, [&](int64_t place, int64_t i) {
    if (shape.type == MUDNN_DATA_BOOLEAN) {
      to[i] = static_cast<V>(bytes[place / 8] >> (place % 8) & 1);
      return;
    }
    const int nibble = bytes[place / 2] >> (place % 2 * 4) & 15;
    to[i] = static_cast<V>(shape.type == MUDNN_DATA_INT4 && nibble > 7 ? nibble - 16 : nibble);
  });
}

template <class V>
void writePacked(const TensorShape& shape, const V* from, void* memory) {
  auto* const bytes = static_cast<unsigned char*>(memory);
  forPlaces(shape, [&](int64_t place, int64_t i) {
    const bool isBoolean = shape.type == MUDNN_DATA_BOOLEAN;
    const int64_t width = isBoolean ? 1 : 4, inByte = 8 / width, shift = place % inByte * width;
    const int mask = (1 << width) - 1;
    const int value = isBoolean ? from[i] != 0 : static_cast<int>(from[i]) & mask;
    unsigned char& byte = bytes[place / inByte];
    byte = static_cast<unsigned char>((byte & ~(mask << shift)) | value << shift);
  });
}
template void readPacked<float>(const TensorShape&, const void*, float*);
template void readPacked<double>(const TensorShape&, const void*, double*);
template void writePacked<float>(const TensorShape&, const float*, void*);
template void writePacked<double>(const TensorShape&, const double*, void*);

Frame::Frame(const std::vector<TensorShape>& shapes, std::vector<void*> memory, bool inDouble)
    : shapes_(shapes), memory_(std::move(memory)), slots_(shapes.size()), inDouble_(inDouble) {}

// Each batch lies where its offset says, as many rows as there is room for before the next.
template <class V>
void Frame::ragged(int tensor, V* values, bool reads) const {
  const TensorShape& s = shape(tensor);
  const std::vector<int64_t> offsets = integers(s.raggedOffsets);
  TensorShape batch = s;
  batch.sizes[0] = 1;
  const int64_t perBatch = batch.count();
  const size_t width = sizeOf(elementOfType(s.type));
  // Rows are the dimension with the largest stride but the batches'.
  size_t row = 1;
  for (size_t d = 2; d < static_cast<size_t>(s.rank); ++d)
    if (s.sizes[d] > 1 && (s.sizes[row] == 1 || s.strides[d] > s.strides[row])) row = d;
  for (int64_t b = 0; b < s.sizes[0]; ++b) {
    const auto at = static_cast<size_t>(b);
    const int64_t begin = offsets[at] * s.raggedUnit;
    const int64_t room = at + 1 < offsets.size() ? offsets[at + 1] * s.raggedUnit - begin : 0;
    TensorShape part = batch;
    part.sizes[row] = std::min(part.sizes[row], room / std::max<int64_t>(part.strides[row], 1));
    const Array array =
        plainArray(part, static_cast<char*>(memory(tensor)) + begin * static_cast<int64_t>(width));
    Array numbers = contiguousArray(elementFor<V>(), values + b * perBatch, s.rank, batch.sizes.data());
    if (reads) std::fill(values + b * perBatch, values + (b + 1) * perBatch, V(0));
    const int64_t count = part.count();
    if (count <= 0) continue;
    numbers.sizes[row] = part.sizes[row];
    const auto copy = std::make_unique<V[]>(static_cast<size_t>(count));
    if (reads) {
      readPart(array, 0, count, copy.get());
      writePart(numbers, 0, count, copy.get());
    } else {
      readPart(numbers, 0, count, copy.get());
      writePart(array, 0, count, copy.get());
    }
  }
}

template <class V>
void Frame::load(int tensor, V* to) const {
  const TensorShape& s = shape(tensor);
  if (s.raggedOffsets >= 0) return ragged(tensor, to, true);
  if (!isPlain(s.type)) return readPacked(s, memory(tensor), to);
  const Array array = plainArray(s, memory(tensor));
  shareRange(s.count(), 1,
             [&](int64_t begin, int64_t end) { readPart(array, begin, end - begin, to + begin); });
}

template <class V>
void Frame::store(int tensor, V* from) const {
  const TensorShape& s = shape(tensor);
  if (s.raggedOffsets >= 0) return ragged(tensor, from, false);
  if (!isPlain(s.type)) return writePacked(s, from, memory(tensor));
  const Array array = plainArray(s, memory(tensor));
  shareRange(s.count(), 1,
             [&](int64_t begin, int64_t end) { writePart(array, begin, end - begin, from + begin); });
}

template <class V>
const V* Frame::in(int tensor) {
  Slot& slot = slots_[static_cast<size_t>(tensor)];
  if (slot.data) return static_cast<const V*>(slot.data);
  const TensorShape& s = shape(tensor);
  if (s.raggedOffsets < 0 && isPlain(s.type) && elementOfType(s.type) == elementFor<V>() &&
      plainArray(s, nullptr).isContiguous()) {
    slot.data = memory(tensor);
    slot.isMemory = true;
    return static_cast<const V*>(slot.data);
  }
  slot.storage.emplace(static_cast<size_t>(s.count()) * sizeof(V));
  slot.data = slot.storage->data();
  load(tensor, static_cast<V*>(slot.data));
  return static_cast<const V*>(slot.data);
}

template <class V>
V* Frame::out(int tensor, bool keeps) {
  if (keeps) return const_cast<V*>(in<V>(tensor));
  Slot& slot = slots_[static_cast<size_t>(tensor)];
  const TensorShape& s = shape(tensor);
  if (!s.isVirtual && s.raggedOffsets < 0 && isPlain(s.type) && elementOfType(s.type) == elementFor<V>() &&
      plainArray(s, nullptr).isContiguous()) {
    slot.data = memory(tensor);
    slot.isMemory = true;
  } else {
    slot.storage.emplace(static_cast<size_t>(s.count()) * sizeof(V));
    slot.data = slot.storage->data();
    slot.isMemory = false;
  }
  return static_cast<V*>(slot.data);
}

void Frame::finish(int tensor) {
  Slot& slot = slots_[static_cast<size_t>(tensor)];
  const TensorShape& s = shape(tensor);
  if (slot.isMemory || !slot.data) return;
  const auto run = [&]<class V>(V) {
    V* const values = static_cast<V*>(slot.data);
    if (!s.isVirtual) store(tensor, values);
    // Whoever reads it next sees what the type holds.
    const bool isNarrow =
        isPlain(s.type) && isFloating(elementOfType(s.type)) && sizeOf(elementOfType(s.type)) < 4;
    if (!isNarrow) return;
    const Element element = elementOfType(s.type);
    shareRange(s.count(), 1, [&](int64_t begin, int64_t end) {
      constexpr int64_t kRun = 512;
      unsigned char narrow[kRun * 2];
      for (int64_t at = begin; at < end; at += kRun) {
        const int64_t n = std::min(kRun, end - at);
        writeRun(element, values + at, n, narrow, 1);
        readRun(element, narrow, 1, n, values + at);
      }
    });
  };
  inDouble_ ? run(double()) : run(float());
}

void Frame::forget(int tensor) {
  Slot& slot = slots_[static_cast<size_t>(tensor)];
  slot.storage.reset();
  slot.data = nullptr;
}

Array Frame::numbers(int tensor, void* data) const {
  const TensorShape& s = shape(tensor);
  return contiguousArray(inDouble_ ? Element::kDouble : Element::kFloat, data, s.rank, s.sizes.data());
}

Array Frame::array(int tensor) {
  const TensorShape& s = shape(tensor);
  const Slot& slot = slots_[static_cast<size_t>(tensor)];
  if (!slot.data && !s.isVirtual && s.raggedOffsets < 0 && isPlain(s.type))
    return plainArray(s, memory(tensor));
  void* const data = inDouble_ ? static_cast<void*>(const_cast<double*>(in<double>(tensor)))
                               : static_cast<void*>(const_cast<float*>(in<float>(tensor)));
  return numbers(tensor, data);
}

double Frame::scalar(int tensor) {
  return inDouble_ ? in<double>(tensor)[0] : static_cast<double>(in<float>(tensor)[0]);
}

std::vector<int64_t> Frame::integers(int tensor) const {
  const TensorShape& s = shape(tensor);
  std::vector<int64_t> values(static_cast<size_t>(s.count()));
  readPart(plainArray(s, memory(tensor)), 0, s.count(), values.data());
  return values;
}

template const float* Frame::in<float>(int);
template const double* Frame::in<double>(int);
template float* Frame::out<float>(int, bool);
template double* Frame::out<double>(int, bool);

}  // namespace musashim::mudnn::graph
