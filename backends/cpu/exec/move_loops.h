// The loops that move bytes through the caches, one set for each level of x86-64 processors.
#pragma once

#include <cstddef>

#include "cpu/exec/move_bytes.h"

namespace musashim::backend::cpu {

struct MoveLoops {
  void (*bytes)(char* to, const char* from, size_t bytes);
  // Without a call for each row: of rows that caches hold, it would cost a third of the bandwidth.
  void (*rows)(char* to, const char* from, size_t width, size_t rows, RowPitches pitch);
};

// For a level of `cpu_level.h` that the machine has.
const MoveLoops& moveLoopsOf(unsigned level);

// Does the processor's string move (`rep movsb`) outrun every loop where the target does not lie a little
// above the source?
bool stringMoveIsFastest();

}  // namespace musashim::backend::cpu
