// Row loops: loops of a thread over rows of an array, with few iterations, and a stride that is not constant
// (`for (j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(y + j) * n + x];`).
//
// They are not unrolled, and all threads run an iteration before the next. Then a block comes to its rows one
// after another, by the same instruction, and hardware prefetchers follow. Unrolled, it would jump between
// rows far apart. (Transpose of 4096 x 4096 floats by tiles of 32 x 32, a row 16 KiB: 1.35 times as fast on
// Zen 5; rows of threads that copy such rows: 1.1.)
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// The stride of `pointer` in `loop` is not constant.
bool hasRowStride(llvm::Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

// The loop is a row loop, which threads are to run in lockstep.
bool isRowLoop(const llvm::Loop& loop);

// Unrolls the row loops that threads do not run in lockstep.
void unrollOtherRowLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
