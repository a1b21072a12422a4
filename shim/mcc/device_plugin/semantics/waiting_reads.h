// Reads by which a loop waits, until others have written: plain ones, as __ldcg in decoupled look-back, and
// those of functions that it calls.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Makes plain ones volatile, as which they are known later. A loop waits by plain reads if it writes nothing,
// and if whether it goes on depends on what it reads and on nothing that it counts or walks along.
void markWaitingReads(llvm::Function& function);

// Whether an instruction writes nothing that others see, though it may seem to: stores to variables of code
// that is not optimised, fences, and questions for indices and sizes.
bool writesNothingOfOthers(const llvm::Instruction& instruction);

// Of memory that others see.
enum class CalledAccess { kNone, kPolls, kOther };

// What a call of a function that is not inlined does, with the constants that it is given: loops poll by them
// in code that is not optimised, `while (load(flag) == 0);`, `while (atomicAdd(&count, 0) < goal);`.
CalledAccess accessOfCall(const llvm::CallBase& call);

// The idiom atomicAdd(&value, 0) only reads.
bool readsOnly(const llvm::AtomicRMWInst& update);

}  // namespace musashim::mcc
