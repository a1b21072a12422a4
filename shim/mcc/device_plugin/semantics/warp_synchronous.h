// Warp-synchronous code: reconverges threads at steps in volatile shared memory.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "warp_hazards.h"

namespace musashim::mcc {

// Old programs rely on the implicit lockstep of a warp where shared memory is volatile:
//
//   volatile float* s = shared; s[tid] += s[tid + 16]; s[tid] += s[tid + 8]; ...
//
// is right on hardware without __syncwarp(). So the active threads are synchronized between loads and
// stores of each other's elements, in either order.
void convergeAtVolatileSteps(llvm::Function& kernel);

// The same for exchanges of other kinds (warp_hazards.h).
void convergeAtWarpHazards(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

// What there is of either kind. It is warned of. `name`: of the kernel that it is a copy of.
WarpHazards warnOfWarpSynchronousCode(llvm::Function& kernel, llvm::StringRef name);

// The lanes of a kernel with such accesses are to converge. Where they also wait for each other by polling
// (`waits`), only if it is certain that they exchange data: those who poll have to be waited for.
bool countsOnWarps(const WarpHazards& hazards, bool waits);

// Says `text` of each line of them, once, where -Wmusa-warp-synchronous asks for it.
void warnOfHazards(llvm::ArrayRef<llvm::Instruction*> points, llvm::Function& kernel, const char* text);

// Has the lanes of each warp that come along converge before `points`.
void convergeBefore(llvm::ArrayRef<llvm::Instruction*> points, llvm::Function& kernel);

}  // namespace musashim::mcc
