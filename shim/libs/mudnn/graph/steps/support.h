// What the steps of graphs have in common.
#pragma once

#include <cmath>

#include "libs/core/share.h"
#include "libs/mudnn/graph/program.h"

namespace musashim::mudnn::graph {

inline void checkShape(bool condition, const char* text) { check(condition, MUDNN_STATUS_BAD_PARAM, text); }

// run(V()) with the type that the frame computes with.
template <class Run>
void withNumbers(const Frame& frame, Run&& run) {
  frame.inDouble() ? run(double()) : run(float());
}

// The numbers of `tensor` as often as the dimensions of `like` ask for: [begin, begin + count) of them, row
// by row.
template <class V>
class Spread {
 public:
  Spread(Frame& frame, int tensor, const TensorShape& like) {
    const TensorShape& own = frame.shape(tensor);
    array_ = contiguousArray(std::is_same_v<V, float> ? Element::kFloat : Element::kDouble,
                             const_cast<V*>(frame.in<V>(tensor)), own.rank, own.sizes.data());
    isWhole_ = own.count() == like.count();
    isOne_ = own.count() == 1;
    if (!isWhole_ && !isOne_) {
      Array shape;
      shape.rank = like.rank;
      shape.sizes = like.sizes;
      array_ = broadcast(array_, shape);
    }
  }
  const V* read(int64_t begin, int64_t count, V* room) const {
    const V* const data = static_cast<const V*>(array_.data);
    if (isWhole_) return data + begin;
    if (isOne_)
      std::fill(room, room + count, data[0]);
    else
      readPart(array_, begin, count, room);
    return room;
  }

 private:
  Array array_;
  bool isWhole_ = false, isOne_ = false;
};

// Whether `tensor` has one element, or as many as `like`, for each dimension.
inline bool broadcasts(const TensorShape& tensor, const TensorShape& like) {
  if (tensor.rank != like.rank) return false;
  for (int d = 0; d < tensor.rank; ++d)
    if (tensor.size(d) != 1 && tensor.size(d) != like.size(d)) return false;
  return true;
}
inline bool sameSizes(const TensorShape& a, const TensorShape& b) {
  return a.rank == b.rank && std::equal(a.sizes.begin(), a.sizes.begin() + a.rank, b.sizes.begin());
}

// Elements of a tensor as those of `groups` that have `items` each: an element's place is that of its group
// and that of its item together, row by row. `other`, a tensor that broadcasts, has places of its own.
class Grouping {
 public:
  // The dimensions of items are those that `isItem` tells.
  Grouping(const TensorShape& shape, const std::vector<bool>& isItem) : shape_(shape), isItem_(isItem) {
    const Array whole = contiguousArray(Element::kFloat, nullptr, shape.rank, shape.sizes.data());
    groups_ = places(whole.strides, false);
    items_ = places(whole.strides, true);
  }
  int64_t groups() const { return static_cast<int64_t>(groups_.size()); }
  int64_t items() const { return static_cast<int64_t>(items_.size()); }
  int64_t place(int64_t group, int64_t item) const {
    return groups_[static_cast<size_t>(group)] + items_[static_cast<size_t>(item)];
  }
  struct Places {
    std::vector<int64_t> groups, items;
    int64_t operator()(int64_t group, int64_t item) const {
      return groups[static_cast<size_t>(group)] + items[static_cast<size_t>(item)];
    }
  };
  Places placesOf(const TensorShape& other) const {
    Array array = contiguousArray(Element::kFloat, nullptr, other.rank, other.sizes.data());
    for (size_t d = 0; d < static_cast<size_t>(other.rank); ++d)
      if (other.sizes[d] == 1) array.strides[d] = 0;
    return {places(array.strides, false), places(array.strides, true)};
  }

 private:
  std::vector<int64_t> places(const Dims& strides, bool ofItems) const {
    std::vector<int64_t> result{0};
    for (int d = 0; d < shape_.rank; ++d) {
      const auto at = static_cast<size_t>(d);
      if (isItem_[at] != ofItems) continue;
      std::vector<int64_t> longer;
      longer.reserve(result.size() * shape_.size(d));
      for (const int64_t place : result)
        for (int64_t i = 0; i < shape_.sizes[at]; ++i) longer.push_back(place + i * strides[at]);
      result = std::move(longer);
    }
    return result;
  }
  TensorShape shape_;
  std::vector<bool> isItem_;
  std::vector<int64_t> groups_, items_;
};

}  // namespace musashim::mudnn::graph
