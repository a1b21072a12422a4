// A hash of bytes for names of files and to tell broken ones; what it names says itself what it is.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace musashim::core {

inline uint64_t hashOf(std::string_view bytes, uint64_t seed) {
  uint64_t hash = seed ^ bytes.size() * 0x9e3779b97f4a7c15u;
  const auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, bytes.data() + i, bytes.size() - i);
  mix(rest);
  mix(seed);
  return hash;
}

}  // namespace musashim::core
