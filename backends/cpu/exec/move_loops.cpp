#include "cpu/exec/move_loops.h"

#include <cpuid.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace musashim::backend::cpu {
namespace {

constexpr size_t kLine = 64;
// Bytes that both sides are fetched ahead. Fetching the target as well brings the most: a store that has to
// wait for its line holds up all that follow (measured on Zen 5, 1 MiB in rows of 500 and 1000 bytes, of
// memcpy's speed: 0.93 to 0.97, the source alone 0.90 to 0.96, nothing 0.84 to 0.88).
constexpr size_t kAhead = 2048;
// Shorter rows of copies that caches may hold go from the last to the first: forwards, the processor's
// prefetchers also fetch the gaps between them, and come late where one begins (measured on Zen 5, 1 MiB in
// rows of 256 bytes half a pitch long, GB/s: 43 to 57 forwards, 51 to 58 backwards). From memory, that costs
// more than it brings.
constexpr size_t kShortRow = 384, kShortAhead = 2048, kHeldByCaches = 4 << 20;

template <size_t kBytes>
struct Vector {
  typedef char Type __attribute__((vector_size(kBytes)));
};

// The compiler would put off the stores and turn their order round (measured: costs rows of 256 bytes a
// tenth).
template <size_t kBytes>
[[gnu::always_inline]] inline void moveVector(char* to, const char* from) {
  typename Vector<kBytes>::Type vector;
  std::memcpy(&vector, from, kBytes);
  std::memcpy(to, &vector, kBytes);
  asm volatile("" : : : "memory");
}

// In whole vectors, of which the last may overlap its neighbour; there is at least one.
template <size_t kBytes>
[[gnu::always_inline]] inline void moveVectors(char* to, const char* from, size_t at, size_t bytes) {
  for (; at + kBytes <= bytes; at += kBytes) moveVector<kBytes>(to + at, from + at);
  if (at < bytes) moveVector<kBytes>(to + bytes - kBytes, from + bytes - kBytes);
}

template <size_t kBytes>
[[gnu::always_inline]] inline void moveAhead(char* to, const char* from, size_t bytes) {
  size_t at = 0;
  for (; at + 2 * kLine <= bytes; at += 2 * kLine) {
    for (size_t i = 0; i < 2 * kLine; i += kLine) {
      __builtin_prefetch(from + at + kAhead + i);
      __builtin_prefetch(to + at + kAhead + i, 1);
    }
    for (size_t i = 0; i < 2 * kLine; i += kBytes) moveVector<kBytes>(to + at + i, from + at + i);
  }
  moveVectors<kBytes>(to, from, at, bytes);
}

// At which distance from each side rows are fetched.
struct RowsAhead {
  ptrdiff_t to, from;
  [[gnu::always_inline]] void fetch(const char* target, const char* source) const {
    __builtin_prefetch(source + from);
    __builtin_prefetch(target + to, 1);
  }
};

template <size_t kBytes>
[[gnu::always_inline]] inline void moveShortRow(char* to, const char* from, size_t width, RowsAhead ahead) {
  constexpr size_t kPiece = 4 * kLine;
  size_t at = 0;
  for (; at + kPiece <= width; at += kPiece) {
    for (size_t i = 0; i < kPiece; i += kLine) ahead.fetch(to + at + i, from + at + i);
    for (size_t i = 0; i < kPiece; i += kBytes) moveVector<kBytes>(to + at + i, from + at + i);
  }
  if (at < width) ahead.fetch(to + at, from + at);
  moveVectors<kBytes>(to, from, at, width);
}

template <size_t kBytes>
[[gnu::always_inline]] inline void moveRowsBackwards(char* to, const char* from, size_t width, size_t rows,
                                                     RowPitches pitch) {
  const auto distance =
      static_cast<ptrdiff_t>(std::max<size_t>(1, kShortAhead / std::max(pitch.from, kLine)));
  const RowsAhead ahead = {-distance * static_cast<ptrdiff_t>(pitch.to),
                           -distance * static_cast<ptrdiff_t>(pitch.from)};
  to += rows * pitch.to;
  from += rows * pitch.from;
  while (rows-- > 0) {
    to -= pitch.to;
    from -= pitch.from;
    moveShortRow<kBytes>(to, from, width, ahead);
  }
}

void moveBytesPlain(char* to, const char* from, size_t bytes);
void moveRowsPlain(char* to, const char* from, size_t width, size_t rows, RowPitches pitch);

template <size_t kBytes>
[[gnu::always_inline]] inline void moveRowsBy(char* to, const char* from, size_t width, size_t rows,
                                              RowPitches pitch) {
  if (width < kBytes) {
    moveRowsPlain(to, from, width, rows, pitch);
  } else if (width < kShortRow && width * rows <= kHeldByCaches) {
    moveRowsBackwards<kBytes>(to, from, width, rows, pitch);
  } else {
    for (; rows > 0; --rows, to += pitch.to, from += pitch.from) moveAhead<kBytes>(to, from, width);
  }
}

template <size_t kBytes>
[[gnu::always_inline]] inline void moveBy(char* to, const char* from, size_t bytes) {
  if (bytes < kBytes) {
    moveBytesPlain(to, from, bytes);
  } else {
    moveAhead<kBytes>(to, from, bytes);
  }
}

void moveBytesPlain(char* to, const char* from, size_t bytes) { std::memcpy(to, from, bytes); }
void moveRowsPlain(char* to, const char* from, size_t width, size_t rows, RowPitches pitch) {
  for (size_t row = 0; row < rows; ++row, to += pitch.to, from += pitch.from) std::memcpy(to, from, width);
}

[[gnu::target("avx2")]] void moveBytes256(char* to, const char* from, size_t bytes) {
  moveBy<32>(to, from, bytes);
}
[[gnu::target("avx2")]] void moveRows256(char* to, const char* from, size_t width, size_t rows,
                                         RowPitches pitch) {
  moveRowsBy<32>(to, from, width, rows, pitch);
}

[[gnu::target("avx512f")]] void moveBytes512(char* to, const char* from, size_t bytes) {
  moveBy<64>(to, from, bytes);
}
[[gnu::target("avx512f")]] void moveRows512(char* to, const char* from, size_t width, size_t rows,
                                            RowPitches pitch) {
  moveRowsBy<64>(to, from, width, rows, pitch);
}

constexpr MoveLoops kPlain = {moveBytesPlain, moveRowsPlain}, kWide = {moveBytes256, moveRows256},
                    kWidest = {moveBytes512, moveRows512};

}  // namespace

const MoveLoops& moveLoopsOf(unsigned level) {
  if (level >= 4) return kWidest;
  return level == 3 ? kWide : kPlain;
}

bool stringMoveIsFastest() {
  // Measured on AMD's family 1Ah (Zen 5), GB/s by string move, by AVX-512: 1 MiB 65 and 54, 16 MiB 29 and 19.
  // On family 19h (Zen 3) it is the other way round: 16 and 34.
  constexpr unsigned kZen5 = 0x1a;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__builtin_cpu_is("amd") || !__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return false;
  const unsigned family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
  return family >= kZen5;
}

}  // namespace musashim::backend::cpu
