#include "cpu/exec/move_bytes.h"

#include <xmmintrin.h>

#include <cstdint>
#include <cstring>

namespace musashim::backend::cpu {
namespace {

using Vector = char __attribute__((vector_size(16)));
constexpr size_t kLine = 64;
// Shorter rows have too few whole lines.
constexpr size_t kShortestPastCaches = 256;
// For longer rows a call of memcpy costs nothing.
constexpr size_t kLongestInline = 8192;

void moveLinesPastCaches(char* to, const char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kLine) {
    Vector line[kLine / sizeof(Vector)];
    std::memcpy(line, from + at, kLine);
    for (size_t i = 0; i < kLine / sizeof(Vector); ++i) {
      __builtin_nontemporal_store(line[i], reinterpret_cast<Vector*>(to + at) + i);
    }
  }
}

void movePastCaches(char* to, const char* from, size_t bytes) {
  const size_t head = -reinterpret_cast<uintptr_t>(to) % kLine;
  if (bytes < head + kLine) {
    std::memcpy(to, from, bytes);
    return;
  }
  const size_t lines = (bytes - head) / kLine * kLine;
  std::memcpy(to, from, head);
  moveLinesPastCaches(to + head, from + head, lines);
  std::memcpy(to + head + lines, from + head + lines, bytes - head - lines);
}

// Without a call for each: of rows that caches hold, it would cost a third of the bandwidth.
[[gnu::target("avx2")]] void moveShortRows(char* to, const char* from, size_t width, size_t rows,
                                           RowPitches pitch) {
  using Wide = char __attribute__((vector_size(32)));
  constexpr size_t kPiece = 4 * sizeof(Wide);
  for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) {
    size_t at = 0;
    for (; at + kPiece <= width; at += kPiece) {
      Wide piece[4];
      std::memcpy(piece, from + at, kPiece);
      std::memcpy(to + at, piece, kPiece);
    }
    if (at < width) std::memcpy(to + at, from + at, width - at);
  }
}

}  // namespace

void moveBytes(char* to, const char* from, size_t bytes, Through way) {
  if (way == Through::kCaches) {
    std::memcpy(to, from, bytes);
    return;
  }
  movePastCaches(to, from, bytes);
  _mm_sfence();  // nothing else orders such stores with others
}

void moveRows(char* to, const char* from, size_t width, size_t rows, RowPitches pitch, Through way) {
  if (way == Through::kPastCaches && width >= kShortestPastCaches) {
    for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from)
      movePastCaches(to, from, width);
    _mm_sfence();
    return;
  }
  static const bool haveWide = __builtin_cpu_supports("avx2") != 0;
  if (haveWide && width <= kLongestInline) {
    moveShortRows(to, from, width, rows, pitch);
    return;
  }
  for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) std::memcpy(to, from, width);
}

}  // namespace musashim::backend::cpu
