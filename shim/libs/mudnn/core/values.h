// All of a tensor as numbers that compute, row by row: its own memory where it holds them so, else a copy.
#pragma once

#include <memory>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

template <class V>
class Input {
 public:
  explicit Input(const Array& array);
  const V* data() const { return data_; }
  V operator[](int64_t index) const { return data_[index]; }

 private:
  std::unique_ptr<V[]> copy_;
  const V* data_;
};

// store() puts a copy into the tensor's memory. What was there can be read before (kKeep).
template <class V>
class Output {
 public:
  enum class Content : uint8_t { kNew, kKeep };
  explicit Output(const Array& array, Content content = Content::kNew);
  V* data() { return data_; }
  V& operator[](int64_t index) { return data_[index]; }
  void store();

 private:
  Array array_;
  std::unique_ptr<V[]> copy_;
  V* data_;
};

// Elements [begin, begin + count) of the tensor, counted row by row.
template <class V>
void readPart(const Array& array, int64_t begin, int64_t count, V* to);
template <class V>
void writePart(const Array& array, int64_t begin, int64_t count, const V* from);

// Runs part(begin, end) for pieces of [0, count), on several threads where `count` times `cost` (elements
// touched for each) is large.
void shareRange(int64_t count, int64_t cost, const std::function<void(int64_t, int64_t)>& part);

}  // namespace musashim::mudnn
