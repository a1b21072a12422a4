#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace musashim::translator {

/// Of a name, eight bytes at a time. The tables are laid out by it: mappings/tools/gen_tables.py has the
/// same.
inline std::uint32_t wordHash(std::string_view word) {
  static_assert(std::endian::native == std::endian::little);
  const char* const begin = word.data();
  const char* const end = begin + word.size();
  std::uint64_t value = word.size();
  const auto mix = [&](std::uint64_t bytes) {
    value = (value ^ bytes) * 0x9E3779B97F4A7C15U;
    value ^= value >> 32;
  };
  const auto load = [](const char* from, auto bytes) {
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
  };
  const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(begin[at])}; };
  if (word.size() >= 8) {
    for (const char* at = begin; at + 8 < end; at += 8) mix(load(at, std::uint64_t{}));
    mix(load(end - 8, std::uint64_t{}));
  } else if (word.size() >= 4) {
    mix(load(begin, std::uint32_t{}) | std::uint64_t{load(end - 4, std::uint32_t{})} << 32);
  } else if (!word.empty()) {
    mix(byte(0) | byte(word.size() / 2) << 8 | byte(word.size() - 1) << 16);
  }
  return static_cast<std::uint32_t>(value);
}

/// Are the bytes from `other` on the word's? Also eight at a time.
inline bool sameBytes(const char* other, std::string_view word) {
  const auto differ = [&](std::size_t at) {
    std::uint64_t a, b;
    std::memcpy(&a, word.data() + at, sizeof a);
    std::memcpy(&b, other + at, sizeof b);
    return a != b;
  };
  if (word.size() < 8) return std::memcmp(word.data(), other, word.size()) == 0;
  for (std::size_t at = 0; at + 8 < word.size(); at += 8) {
    if (differ(at)) return false;
  }
  return !differ(word.size() - 8);
}

}  // namespace musashim::translator
