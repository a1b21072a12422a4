// Results that no cache will hold go past the caches, which would have to read what they replace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace musashim::rand {

constexpr std::size_t kPastCaches = std::size_t{16} << 20;

// `to` is a multiple of 16, and so is `bytes`.
inline void streamOut(void* to, const void* from, std::size_t bytes) {
  using Line = std::uint64_t __attribute__((vector_size(16)));
  auto* const target = static_cast<Line*>(to);
  for (std::size_t i = 0; i < bytes / sizeof(Line); ++i) {
    Line line;
    std::memcpy(&line, static_cast<const char*>(from) + i * sizeof(Line), sizeof line);
    __builtin_nontemporal_store(line, target + i);
  }
}

}  // namespace musashim::rand
