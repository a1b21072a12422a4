// Moves bytes at the speed of the machine's memory: what no cache can hold anyway goes past them, as reading
// a line before writing it costs a third of the bandwidth.
#pragma once

#include <cstddef>

namespace musashim::backend::cpu {

// Copies of as much are larger than what a core has of the last cache on common servers.
inline constexpr size_t kPastCachesBytes = 32 << 20;

enum class Through { kCaches, kPastCaches };
inline Through wayFor(size_t bytes) {
  return bytes >= kPastCachesBytes ? Through::kPastCaches : Through::kCaches;
}

// The sides do not overlap.
void moveBytes(char* to, const char* from, size_t bytes, Through way);

struct RowPitches {
  size_t to, from;
};
void moveRows(char* to, const char* from, size_t width, size_t rows, RowPitches pitch, Through way);

}  // namespace musashim::backend::cpu
