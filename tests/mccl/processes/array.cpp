#include "array.h"

#include "checks.h"
#include "job.h"

namespace rank_program {

Array::Array(int rank, size_t count, Kind kind, size_t shift) : kind_(kind) {
  MUST_MUSA(musaSetDevice(deviceOf(rank)));
  const size_t bytes = (count + shift) * sizeof(float);
  switch (kind) {
    case Kind::kPlain:
      MUST_MUSA(musaMalloc(&base_, bytes));
      break;
    case Kind::kOwn:
      MUST(mcclMemAlloc(&base_, bytes));
      break;
    case Kind::kPool:
      MUST_MUSA(musaMallocAsync(&base_, bytes, nullptr));
      MUST_MUSA(musaStreamSynchronize(nullptr));
      break;
    case Kind::kManaged:
      MUST_MUSA(musaMallocManaged(&base_, bytes, musaMemAttachGlobal));
      break;
    case Kind::kHost:
      MUST_MUSA(musaMallocHost(&base_, bytes));
      break;
  }
  data = static_cast<float*>(base_) + shift;
}

Array::~Array() {
  if (!base_) return;
  if (kind_ == Kind::kOwn) {
    MUST(mcclMemFree(base_));
  } else if (kind_ == Kind::kHost) {
    MUST_MUSA(musaFreeHost(base_));
  } else {
    MUST_MUSA(musaFree(base_));
  }
}

void Array::set(const std::vector<float>& values) const {
  MUST_MUSA(musaMemcpy(data, values.data(), values.size() * sizeof(float), musaMemcpyDefault));
}

std::vector<float> Array::get(size_t count) const {
  std::vector<float> values(count);
  MUST_MUSA(musaMemcpy(values.data(), data, count * sizeof(float), musaMemcpyDefault));
  return values;
}

float value(int rank, size_t index) { return static_cast<float>(1 + (rank * 7 + index) % 13); }

std::vector<float> valuesOf(int rank, size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = value(rank, i);
  return values;
}

}  // namespace rank_program
