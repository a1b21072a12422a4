// The order of convergence points: lanes of a warp that are behind go first.
//
// On hardware, lanes that leave a branch or a loop meet the others where their ways join. Here lanes at a
// convergence point wait for those who stand at a lower one. So the points of a loop are lower than those
// behind it, and lanes that have gone through a loop's body wait for those who are still in it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Adds convergence points at the end of loops with such points, and gives each point its rank. Calls that
// `converges` says are of functions with convergence points have ranks as well, which fibers are told.
void orderConvergencePoints(llvm::Function& function,
                            llvm::function_ref<bool(const llvm::CallBase&)> converges);

// Lanes that are behind are to be asked for as well, whether they are active.
void convergeAtActiveMasks(llvm::Function& function);

// Lanes ask at several places who is active: those who come from another place would not be named where they
// meet again. False if lanes poll there for what others will write, who must not wait for them.
bool asksAtSeveralPlaces(llvm::ArrayRef<llvm::Function*> functions);

// The instruction is a convergence point.
bool isConvergencePoint(const llvm::Instruction& instruction);

}  // namespace musashim::mcc
