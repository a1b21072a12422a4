// Loops of arithmetic that all threads run alike (`for (i = 0; i < 1024; ++i) x = x * x + c;`). A thread by
// itself waits for each operation; in lockstep (lockstep.h) the threads are vectors, but then what a loop
// carries from iteration to iteration is kept for each thread. So such a loop is unrolled first.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// The loop does arithmetic alone, which takes longer than to keep what it carries. It is innermost, and its
// latch is its exit.
bool isLongArithmetic(const llvm::Loop& loop);

// Unrolls those that have enough iterations to be long ones.
void unrollArithmeticLoops(UnitFunction& unit, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
