// Sets of a warp's lanes, and questions about what all lanes of a group have.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace musashim::devrt {

constexpr uint32_t kGroup = 32;      // lanes that a mask has bits for
constexpr uint32_t kMostGroups = 4;  // of a warp

// Numbers of a group of lanes from `numbers` on: a bit for each that is `wanted`.
template <typename T>
uint32_t lanesEqual(const T* numbers, T wanted) {
  using Row = T __attribute__((ext_vector_type(kGroup)));
  using Bits = bool __attribute__((ext_vector_type(kGroup)));
  Row row;
  std::memcpy(&row, numbers, sizeof row);
  return __builtin_bit_cast(uint32_t, __builtin_convertvector(row == wanted, Bits));
}

// A bit for each number in which `bit` is set.
inline uint32_t lanesWithBit(const uint16_t* numbers, int bit) {
  using Row = uint16_t __attribute__((ext_vector_type(kGroup)));
  using Bits = bool __attribute__((ext_vector_type(kGroup)));
  Row row;
  std::memcpy(&row, numbers, sizeof row);
  return __builtin_bit_cast(uint32_t, __builtin_convertvector((row >> bit) & 1, Bits));
}

// The least of a group's numbers from `from` on, as its distance; numbers below count as after all others.
inline uint16_t leastFrom(const uint16_t* numbers, uint16_t from) {
  using Row = uint16_t __attribute__((ext_vector_type(kGroup)));
  Row row;
  std::memcpy(&row, numbers, sizeof row);
  return __builtin_reduce_min(row - from);
}

// Those of a group's numbers that are `from` become `to`.
inline void replaceLanes(uint16_t* numbers, uint16_t from, uint16_t to) {
  for (uint32_t i = 0; i < kGroup; ++i) numbers[i] = numbers[i] == from ? to : numbers[i];
}

// Calls `visit` with the number of each bit, counted from `first` on.
template <typename Visit>
void forEachBit(uint32_t bits, uint32_t first, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(first + static_cast<uint32_t>(std::countr_zero(bits)));
}

// Of a warp of so many groups.
template <uint32_t kGroups>
struct LaneSet {
  std::array<uint32_t, kGroups> groups{};

  static LaneSet of(uint32_t lane) {
    LaneSet result;
    result.groups[lane / kGroup] = 1u << (lane % kGroup);
    return result;
  }
  bool empty() const {
    uint32_t all = 0;
    for (const uint32_t group : groups) all |= group;
    return all == 0;
  }
  bool has(uint32_t lane) const { return ((groups[lane / kGroup] >> (lane % kGroup)) & 1) != 0; }
  uint32_t first() const {
    uint32_t group = 0;
    while (groups[group] == 0) ++group;
    return group * kGroup + static_cast<uint32_t>(std::countr_zero(groups[group]));
  }
  void add(const LaneSet& others) {
    for (uint32_t i = 0; i < kGroups; ++i) groups[i] |= others.groups[i];
  }
  void remove(const LaneSet& others) {
    for (uint32_t i = 0; i < kGroups; ++i) groups[i] &= ~others.groups[i];
  }
  LaneSet operator&(const LaneSet& others) const {
    LaneSet result;
    for (uint32_t i = 0; i < kGroups; ++i) result.groups[i] = groups[i] & others.groups[i];
    return result;
  }
  template <typename Visit>
  void forEach(Visit visit) const {
    for (uint32_t i = 0; i < kGroups; ++i) forEachBit(groups[i], i * kGroup, visit);
  }
};

// A number for each lane.
template <uint32_t kGroups>
using LaneValues = std::array<uint64_t, kGroups * kGroup>;

}  // namespace musashim::devrt
