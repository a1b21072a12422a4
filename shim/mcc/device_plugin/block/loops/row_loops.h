// Loops of a thread over rows of an array: few rounds, each at a place that is not a constant number of bytes
// after the last (`for (j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(y + j) * n + x];`). They stay loops,
// and all threads run a round before the next: then a block comes to its rows one after another, by the same
// instruction, and processors fetch the next ones ahead. Unrolled, it would jump between rows far apart.
// (Transpose of 4096 x 4096 floats by tiles of 32 x 32, a row 16 KiB: 1.35 times as fast on Zen 5; rows of
// threads that copy such rows: 1.1.)
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// With each round of `loop`, `pointer` moves on by a number of bytes that is no constant.
bool goesByRows(llvm::Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

// The loop is to stay one that all threads run together.
bool isRowLoop(const llvm::Loop& loop);

// Unrolls those that threads run for themselves after all.
void unrollOtherRowLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
