// Sequences side by side whose items take turns: output i is of lane i modulo their number. A lane keeps its
// place, so what a call leaves off the next one goes on with.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "conversions.h"
#include "items.h"
#include "libs/core/share.h"
#include "poisson.h"

namespace musashim::rand {

template <class Lanes>
class Rows {
 public:
  explicit Rows(Lanes lanes, std::uint64_t offset)
      : lanes_(std::move(lanes)), kept_(lanes_.size()), next_(offset % lanes_.size()) {
    const std::uint64_t rows = offset / lanes_.size();
    if (offset == 0) return;
    eachChunk([&](std::size_t first, std::size_t end) {
      const std::size_t split = std::clamp(next_, first, end);
      lanes_.skip(rows + 1, first, split - first);
      lanes_.skip(rows, split, end - split);
    });
  }

  // `count` items.
  template <class Item>
  void fill(typename Item::Output* out, std::size_t count, const Item& item) {
    if (count == 0) return;
    const std::size_t size = lanes_.size(), start = next_, stop = start + count;
    const std::size_t rows = (stop + size - 1) / size;
    auto part = [&](std::size_t first, std::size_t end) {
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t low = std::max(first, row == 0 ? start : 0);
        const std::size_t high = std::min(end, row + 1 == rows ? stop - row * size : size);
        if (low < high) make(out + (row * size + low - start) * Item::kOutputs, low, high - low, item);
      }
    };
    if (count < kWorthSharing)
      for (std::size_t first = 0; first < size; first += kChunk) part(first, std::min(size, first + kChunk));
    else
      eachChunk(part);
    next_ = stop % size;
  }

 private:
  // Lanes that are made at once; their states stay in the first cache.
  static constexpr std::size_t kChunk = 512, kWorthSharing = std::size_t{1} << 18;

  template <class Part>
  void eachChunk(const Part& part) {
    const std::size_t size = lanes_.size(), chunks = (size + kChunk - 1) / kChunk;
    libs::shareOut(chunks, [&](std::size_t i) { part(i * kChunk, std::min(size, (i + 1) * kChunk)); });
  }

  template <class Item>
  void make(typename Item::Output* out, std::size_t first, std::size_t count, const Item& item) {
    if constexpr (std::is_same_v<Item, GaussItem>) {
      makeGauss(out, first, count, item);
    } else {
      constexpr bool toM1 = Lanes::kNumbersToM1;
      constexpr int words = toM1 ? Item::kM1Words : Item::kWords;
      std::uint32_t rows[words][kChunk];
      for (auto& row : rows) lanes_.next(row, first, count);
      if constexpr (std::is_same_v<Item, FloatItem>)
        return toM1 ? makeRowOfM1(rows[0], count, out) : makeRow(rows[0], count, out);
      if constexpr (std::is_same_v<Item, DoubleItem> && !toM1) return makeRow(rows[0], rows[1], count, out);
      if constexpr (std::is_same_v<Item, NormalItem>) {
        if (item.shape.onDevice) {
          (toM1 ? makeNormalsOfM1 : makeNormals)(rows[0], rows[1], count, 2, out);
          return shapeOnDevice(item.shape, 2 * count, out);
        }
      }
      // Doubles of devices are uniform pairs first.
      bool onDevice = false;
      if constexpr (std::is_same_v<Item, NormalDoubleItem>) onDevice = item.shape.onDevice;
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t w[words];
        for (int k = 0; k < words; ++k) w[k] = rows[k][i];
        if constexpr (std::is_same_v<Item, NormalDoubleItem>) {
          if (onDevice) {
            Item::template units<toM1>(w, out + 2 * i);
            continue;
          }
        }
        item.template make<toM1>(w, out + i * Item::kOutputs);
      }
      if constexpr (std::is_same_v<Item, NormalDoubleItem>) {
        if (!onDevice) return;
        makeNormalsOfUnits(count, out);
        shapeOnDevice(item.shape, 2 * count, out);
      }
    }
  }

  // One normal number each: a lane makes two and keeps the second until it is asked again.
  void makeGauss(std::uint32_t* out, std::size_t first, std::size_t count, const GaussItem& item) {
    for (std::size_t i = 0; i < count; ++i) {
      std::optional<float>& kept = kept_[first + i];
      if (kept) {
        out[i] = item.of(*kept);
        kept.reset();
        continue;
      }
      std::uint32_t words[2];
      float pair[2];
      for (auto& word : words) lanes_.next(&word, first + i, 1);
      NormalItem{{.onDevice = item.onDevice}}.template make<Lanes::kNumbersToM1>(words, pair);
      out[i] = item.of(pair[0]);
      kept = pair[1];
    }
  }

  Lanes lanes_;
  std::vector<std::optional<float>> kept_;
  std::size_t next_;  // the lane whose turn it is
};

}  // namespace musashim::rand
