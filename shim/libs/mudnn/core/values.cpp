#include "libs/mudnn/core/values.h"

#include <algorithm>

#include "libs/core/share.h"
#include "libs/mudnn/core/elements.h"

namespace musashim::mudnn {
namespace {

constexpr int64_t kShare = 1 << 15;  // elements that are worth a thread

// Dimensions that lie behind each other as one.
struct Walk {
  explicit Walk(const Array& array) {
    rank = 0;
    for (int i = 0; i < array.rank; ++i) {
      const auto d = static_cast<size_t>(i);
      if (array.sizes[d] == 1) continue;
      const auto last = static_cast<size_t>(rank - 1);
      if (rank > 0 && strides[last] == array.strides[d] * array.sizes[d]) {
        sizes[last] *= array.sizes[d];
        strides[last] = array.strides[d];
      } else {
        sizes[static_cast<size_t>(rank)] = array.sizes[d];
        strides[static_cast<size_t>(rank++)] = array.strides[d];
      }
    }
    if (rank == 0) {
      sizes[0] = strides[0] = 1;
      rank = 1;
    }
  }

  // run(offset, stride, count, done) for each run of the last dimension.
  template <class Run>
  void forRuns(int64_t begin, int64_t count, Run&& run) const {
    if (count <= 0) return;
    const auto last = static_cast<size_t>(rank - 1);
    Dims index{};
    int64_t rest = begin, offset = 0;
    for (size_t d = last + 1; d-- > 0;) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
      offset += index[d] * strides[d];
    }
    for (int64_t done = 0; done < count;) {
      const int64_t length = std::min(sizes[last] - index[last], count - done);
      run(offset, strides[last], length, done);
      done += length;
      offset += length * strides[last];
      index[last] += length;
      for (size_t d = last; d > 0 && index[d] == sizes[d]; --d) {
        offset += strides[d - 1] - sizes[d] * strides[d];
        index[d] = 0;
        ++index[d - 1];
      }
    }
  }

  int rank;
  Dims sizes{}, strides{};
};

template <class V>
std::unique_ptr<V[]> space(int64_t count) {
  return std::unique_ptr<V[]>(new V[static_cast<size_t>(std::max<int64_t>(count, 1))]);
}

template <class V>
bool isDirect(const Array& array) {
  return holds<V>(array.element) && array.isContiguous();
}

}  // namespace

template <class V>
void readPart(const Array& array, int64_t begin, int64_t count, V* to) {
  const auto size = static_cast<int64_t>(sizeOf(array.element));
  Walk(array).forRuns(begin, count, [&](int64_t offset, int64_t stride, int64_t length, int64_t done) {
    readRun(array.element, static_cast<const char*>(array.data) + offset * size, stride, length, to + done);
  });
}

template <class V>
void writePart(const Array& array, int64_t begin, int64_t count, const V* from) {
  const auto size = static_cast<int64_t>(sizeOf(array.element));
  Walk(array).forRuns(begin, count, [&](int64_t offset, int64_t stride, int64_t length, int64_t done) {
    writeRun(array.element, from + done, length, static_cast<char*>(array.data) + offset * size, stride);
  });
}

template <class V>
Input<V>::Input(const Array& array) {
  if (isDirect<V>(array)) {
    data_ = static_cast<const V*>(array.data);
    return;
  }
  copy_ = space<V>(array.count());
  shareRange(array.count(), 1,
             [&](int64_t begin, int64_t end) { readPart(array, begin, end - begin, copy_.get() + begin); });
  data_ = copy_.get();
}

template <class V>
Output<V>::Output(const Array& array, Content content) : array_(array) {
  if (isDirect<V>(array)) {
    data_ = static_cast<V*>(array.data);
    return;
  }
  copy_ = space<V>(array.count());
  data_ = copy_.get();
  if (content == Content::kKeep) readPart(array, 0, array.count(), data_);
}

template <class V>
void Output<V>::store() {
  if (!copy_) return;
  shareRange(array_.count(), 1,
             [&](int64_t begin, int64_t end) { writePart(array_, begin, end - begin, data_ + begin); });
}

void shareRange(int64_t count, int64_t cost, const std::function<void(int64_t, int64_t)>& part) {
  if (count <= 0) return;
  const int64_t total = count * std::max<int64_t>(cost, 1);
  const int64_t parts = std::min(
      {count, static_cast<int64_t>(libs::sharingThreads()) * 4, std::max<int64_t>(total / kShare, 1)});
  libs::shareOut(static_cast<size_t>(parts), [&](size_t index) {
    const auto i = static_cast<int64_t>(index);
    part(count * i / parts, count * (i + 1) / parts);
  });
}

#define MUDNN_VALUES(V)                                          \
  template class Input<V>;                                       \
  template class Output<V>;                                      \
  template void readPart<V>(const Array&, int64_t, int64_t, V*); \
  template void writePart<V>(const Array&, int64_t, int64_t, const V*);
MUDNN_VALUES(float)
MUDNN_VALUES(double)
MUDNN_VALUES(int64_t)
MUDNN_VALUES(uint64_t)
#undef MUDNN_VALUES

}  // namespace musashim::mudnn
