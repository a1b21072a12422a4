// Addresses that were seen not long ago: a guess that forgets, never wrong about having seen one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace musashim::mccl {

class RecentBuffers {
 public:
  bool contains(const void* address) const { return places_[placeOf(address)] == address; }
  void add(const void* address) { places_[placeOf(address)] = address; }

 private:
  static constexpr size_t kPlaces = 64;
  static size_t placeOf(const void* address) {
    return (reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> 58;
  }

  std::array<const void*, kPlaces> places_{};
};

}  // namespace musashim::mccl
