#include "cpu/exec/move_bytes.h"

#include <xmmintrin.h>

#include <cstdint>
#include <cstring>

#include "cpu/core/cpu_level.h"
#include "cpu/exec/move_loops.h"

namespace musashim::backend::cpu {
namespace {

using Vector = char __attribute__((vector_size(16)));
constexpr size_t kLine = 64, kPage = 4096;
// Shorter rows have too few whole lines.
constexpr size_t kShortestPastCaches = 512;
// From here on the C library copies by string moves, which halve the bandwidth on some processors when the
// target lies a little above the source, counted within pages; so they are used only where they are fast.
constexpr size_t kShortestLong = 2048;

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

const MoveLoops& loops() {
  static const MoveLoops& chosen = moveLoopsOf(cpuLevel());
  return chosen;
}

// Measured on Zen 5, 8 MiB: 31 to 46 GB/s where the target lies 1 to 63 bytes above, else 50 to 62.
bool suitsStringMove(const char* to, const char* from) {
  static const bool fast = stringMoveIsFastest();
  const size_t above = (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from)) % kPage;
  return fast && (above == 0 || above >= kLine);
}

void stringMove(char* to, const char* from, size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void moveLong(char* to, const char* from, size_t bytes) {
  if (suitsStringMove(to, from)) {
    stringMove(to, from, bytes);
  } else {
    loops().bytes(to, from, bytes);
  }
}

}  // namespace

void moveBytes(char* to, const char* from, size_t bytes, Through way) {
  if (way == Through::kPastCaches) {
    movePastCaches(to, from, bytes);
    _mm_sfence();  // nothing else orders such stores with others
  } else if (bytes >= kShortestLong) {
    moveLong(to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

void moveRows(char* to, const char* from, size_t width, size_t rows, RowPitches pitch, Through way) {
  if (way == Through::kPastCaches && width >= kShortestPastCaches) {
    for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from)
      movePastCaches(to, from, width);
    _mm_sfence();
  } else if (width >= kShortestLong) {
    for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) moveLong(to, from, width);
  } else {
    loops().rows(to, from, width, rows, pitch);
  }
}

}  // namespace musashim::backend::cpu
