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
// The processor's own prefetchers also fetch the gaps between rows, and come late where a short row begins
// (measured, rows of 256 bytes half a pitch long: 0.74 to 0.80 of memcpy's bandwidth).
constexpr size_t kLongestFetchedAhead = 512, kRowsAhead = 8;
// From here on the C library copies by `rep movsb`, which halves the bandwidth on some processors when the
// target lies a little above the source, counted within pages (measured on Zen 3: 16 against 34 GB/s).
constexpr size_t kShortestWide = 2048;

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

using Wide = char __attribute__((vector_size(32)));
constexpr size_t kPiece = 4 * sizeof(Wide);

[[gnu::target("avx2"), gnu::always_inline]] inline void movePiece(char* to, const char* from) {
  Wide piece[4];
  std::memcpy(piece, from, kPiece);
  std::memcpy(to, piece, kPiece);
}

// The first and the last piece overlap their neighbours where those begin at lines of the target.
[[gnu::target("avx2"), gnu::always_inline]] inline void moveWide(char* to, const char* from, size_t bytes) {
  size_t at = 0;
  if (bytes >= kShortestWide) {
    movePiece(to, from);
    at = kLine - reinterpret_cast<uintptr_t>(to) % kLine;
  }
  for (; at + kPiece <= bytes; at += kPiece) movePiece(to + at, from + at);
  if (at == bytes) return;
  if (bytes >= kPiece) {
    movePiece(to + bytes - kPiece, from + bytes - kPiece);
  } else {
    std::memcpy(to, from, bytes);
  }
}

[[gnu::target("avx2")]] void moveBytesWide(char* to, const char* from, size_t bytes) {
  moveWide(to, from, bytes);
}

// Without a call for each: of rows that caches hold, it would cost a third of the bandwidth.
[[gnu::target("avx2,prfchw")]] void moveRowsWide(char* to, const char* from, size_t width, size_t rows,
                                                 RowPitches pitch) {
  const bool fetchAhead = width <= kLongestFetchedAhead;
  for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) {
    for (size_t at = 0; fetchAhead && at < width; at += kLine) {
      __builtin_prefetch(from + kRowsAhead * pitch.from + at, 0);
      __builtin_prefetch(to + kRowsAhead * pitch.to + at, 1);
    }
    moveWide(to, from, width);
  }
}

bool haveWide() {
  static const bool have = __builtin_cpu_supports("avx2") != 0;
  return have;
}

}  // namespace

void moveBytes(char* to, const char* from, size_t bytes, Through way) {
  if (way == Through::kCaches) {
    if (bytes >= kShortestWide && haveWide()) {
      moveBytesWide(to, from, bytes);
    } else {
      std::memcpy(to, from, bytes);
    }
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
  if (haveWide()) {
    moveRowsWide(to, from, width, rows, pitch);
    return;
  }
  for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) std::memcpy(to, from, width);
}

}  // namespace musashim::backend::cpu
