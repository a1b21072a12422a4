// Philox4x32-10 as 65,536 sequences, each of which gives four numbers at its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "items.h"
#include "poisson.h"

namespace musashim::rand {

class Philox {
 public:
  Philox(std::uint64_t seed, std::uint64_t offset);

  void fill(std::uint32_t* out, std::size_t count, WordItem);
  void fill(float* out, std::size_t count, FloatItem);
  void fill(double* out, std::size_t count, DoubleItem);
  void fill(float* out, std::size_t count, NormalItem item);
  void fill(double* out, std::size_t count, NormalDoubleItem item);
  void fill(std::uint32_t* out, std::size_t count, HistogramItem item);
  void fill(std::uint32_t* out, std::size_t count, GaussItem item);

 private:
  static constexpr std::size_t kLanes = 65536, kEach = 4, kBlock = kLanes * kEach;

  template <class Fours>
  void fillBy(typename Fours::Output* out, std::size_t count, const Fours& fours);

  std::uint32_t key_[2];
  std::size_t next_;                     // the number of a block whose turn it is
  std::vector<std::uint64_t> counters_;  // of each lane
};

}  // namespace musashim::rand
