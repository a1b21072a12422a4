#include <algorithm>
#include <numeric>

#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/reduce.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

template <class V>
bool isBefore(V a, V b, bool descending) {
  if (a != a || b != b) return descending ? a != a && b == b : a == a && b != b;
  return descending ? a > b : a < b;
}

// The places of the first `count` elements of a row in order.
template <class V>
void order(const Sorting& sorting, const V* row, int64_t length, std::vector<int64_t>& places) {
  places.resize(static_cast<size_t>(length));
  std::iota(places.begin(), places.end(), 0);
  const auto before = [&](int64_t a, int64_t b) {
    if (isBefore(row[a], row[b], sorting.descending)) return true;
    return !isBefore(row[b], row[a], sorting.descending) && a < b;
  };
  if (sorting.count < length)
    std::partial_sort(places.begin(), places.begin() + sorting.count, places.end(), before);
  else
    std::sort(places.begin(), places.end(), before);
}

template <class V>
void writeSorted(const Array& to, const Array& from, const std::vector<int64_t>& places, int64_t rows,
                 int64_t length, int64_t count) {
  const Input<V> in(from);
  std::vector<V> values(places.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(row * count + i);
      values[at] = in[row * length + places[at]];
    }
  writePart(to, 0, rows * count, values.data());
}

}  // namespace

Work sort(const Sorting& sorting, const Array& values, const Array& indices, const Array& in,
          const Array& companions) {
  Sorting wanted = sorting;
  wanted.axis = in.axis(sorting.axis);
  const auto axis = static_cast<size_t>(wanted.axis);
  const int64_t length = in.sizes[axis];
  if (wanted.count == 0) wanted.count = length;
  require(wanted.count >= 0 && wanted.count <= length, "there are fewer elements than asked for");
  Array right = in;
  right.sizes[axis] = wanted.count;
  for (const Array* array : {&values, &indices})
    require(!array->data || array->sameSizes(right), "the output's sizes are not those of the result");
  require(!companions.data || companions.sameSizes(in), "keys and values have different sizes");
  const auto turned = [&](const Array& array) { return array.data ? axesLast(array, {wanted.axis}) : array; };
  return [wanted, length, from = turned(in), to = turned(values), places = turned(indices),
          others = turned(companions)] {
    if (length == 0 || wanted.count == 0) return;
    const int64_t rows = from.count() / length;
    std::vector<int64_t> found(static_cast<size_t>(rows * wanted.count));
    withKind(kindOf(from.element), [&]<class V>(V) {
      const Input<V> keys(from);
      shareRange(rows, length * 16, [&](int64_t begin, int64_t end) {
        std::vector<int64_t> row;
        for (int64_t i = begin; i < end; ++i) {
          order(wanted, keys.data() + i * length, length, row);
          std::copy_n(row.begin(), wanted.count, found.begin() + i * wanted.count);
        }
      });
      if (to.data) writeSorted<V>(to, from, found, rows, length, wanted.count);
    });
    if (!places.data) return;
    if (!others.data) return writePart(places, 0, rows * wanted.count, found.data());
    withKind(kindOf(others.element),
             [&]<class V>(V) { writeSorted<V>(places, others, found, rows, length, wanted.count); });
  };
}

}  // namespace musashim::mudnn
