#include <algorithm>
#include <map>
#include <numeric>

#include "libs/mudnn/operations/layout.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

// Whether elements are not zero, row by row.
std::vector<bool> truthOf(const Array& array) {
  std::vector<bool> truth(static_cast<size_t>(array.count()));
  withKind(kindOf(array.element), [&]<class V>(V) {
    const Input<V> in(array);
    for (size_t i = 0; i < truth.size(); ++i) truth[i] = in[static_cast<int64_t>(i)] != V(0);
  });
  return truth;
}

// The first `count` places of the array's memory, row by row.
Array firstOf(const Array& array, int64_t count) {
  return contiguousArray(array.element, array.data, 1, &count);
}

}  // namespace

Work nonzero(const Array& out, const Array& in, const Found& found) {
  require(out.isContiguous(), "the output has gaps");
  const int64_t room = in.rank ? out.count() / in.rank : in.count();
  require(room >= in.count(), "the output has no room for all places");
  return [=] {
    const std::vector<bool> truth = truthOf(in);
    std::vector<int64_t> places;
    int64_t count = 0;
    for (size_t at = 0; at < truth.size(); ++at) {
      if (!truth[at]) continue;
      ++count;
      const size_t end = places.size();
      places.resize(end + static_cast<size_t>(in.rank));
      auto rest = static_cast<int64_t>(at);
      for (size_t d = static_cast<size_t>(in.rank); d-- > 0;) {
        places[end + d] = rest % in.sizes[d];
        rest /= in.sizes[d];
      }
    }
    const auto total = static_cast<int64_t>(places.size());
    writePart(firstOf(out, total), 0, total, places.data());
    *found = count;
  };
}

Work maskedSelect(const Array& out, const Array& in, const Array& mask, const Found& found) {
  require(out.isContiguous() && out.count() >= in.count(),
          "the output has gaps, or no room for all elements");
  const Array view = broadcast(mask, in);
  return [=] {
    const std::vector<bool> truth = truthOf(view);
    withKind(kindOf(in.element), [&]<class V>(V) {
      const Input<V> from(in);
      std::vector<V> chosen;
      for (size_t i = 0; i < truth.size(); ++i)
        if (truth[i]) chosen.push_back(from[static_cast<int64_t>(i)]);
      const auto count = static_cast<int64_t>(chosen.size());
      writePart(firstOf(out, count), 0, count, chosen.data());
      *found = count;
    });
  };
}

Work maskedScatter(const Array& inOut, const Array& mask, const Array& source) {
  const Array view = broadcast(mask, inOut);
  return [=] {
    const std::vector<bool> truth = truthOf(view);
    if (std::count(truth.begin(), truth.end(), true) > source.count())
      throw std::out_of_range("the source has fewer elements than the mask chooses");
    withKind(kindOf(inOut.element), [&]<class V>(V) {
      const Input<V> from(source);
      Output<V> to(inOut, Output<V>::Content::kKeep);
      int64_t next = 0;
      for (size_t i = 0; i < truth.size(); ++i)
        if (truth[i]) to[static_cast<int64_t>(i)] = from[next++];
      to.store();
    });
  };
}

Work unique(musa::dnn::Unique::Mode mode, const Array& values, const Array& indices, const Array& counts,
            const Array& in, const Found& found) {
  for (const Array* array : {&values, &indices, &counts})
    require(array->isContiguous() && array->count() >= in.count(),
            "an output has gaps, or no room for all elements");
  return [=] {
    withKind(kindOf(in.element), [&]<class V>(V) {
      const Input<V> from(in);
      // NaNs are different from each other.
      std::map<V, int64_t> known;
      std::vector<V> different;
      std::vector<int64_t> which(static_cast<size_t>(in.count())), many;
      for (size_t i = 0; i < which.size(); ++i) {
        const V value = from[static_cast<int64_t>(i)];
        int64_t place = static_cast<int64_t>(different.size());
        if (value == value) {
          const auto [entry, isNew] = known.emplace(value, place);
          place = entry->second;
        }
        if (place == static_cast<int64_t>(different.size())) {
          different.push_back(value);
          many.push_back(0);
        }
        which[i] = place;
        ++many[static_cast<size_t>(place)];
      }
      if (mode == musa::dnn::Unique::Mode::SORTED) {
        std::vector<size_t> order(different.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
          const V l = different[a], r = different[b];
          if (l == l && r == r) return l < r;
          return l == l || (r != r && a < b);  // NaNs last, as they come
        });
        std::vector<int64_t> places(order.size()), sortedMany(order.size());
        std::vector<V> sorted(order.size());
        for (size_t i = 0; i < order.size(); ++i) {
          places[order[i]] = static_cast<int64_t>(i);
          sorted[i] = different[order[i]];
          sortedMany[i] = many[order[i]];
        }
        for (int64_t& place : which) place = places[static_cast<size_t>(place)];
        different.swap(sorted);
        many.swap(sortedMany);
      }
      const auto count = static_cast<int64_t>(different.size());
      writePart(firstOf(values, count), 0, count, different.data());
      writePart(firstOf(counts, count), 0, count, many.data());
      writePart(firstOf(indices, in.count()), 0, in.count(), which.data());
      *found = count;
    });
  };
}

}  // namespace musashim::mudnn
