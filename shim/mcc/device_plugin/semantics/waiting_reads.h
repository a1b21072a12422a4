// Accesses by which a loop waits, until others have written: reads, plain ones too, those of functions that
// it calls, and atomic updates.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Makes plain ones volatile, as which they are known later. A loop waits by plain reads if it writes nothing,
// and if whether it goes on depends on what it reads and on nothing that it counts or walks along.
void markWaitingReads(llvm::Function& function);

// Makes plain loads of those of __ldcg, so that they become vectors, but where a loop's end depends on one
// that reads the same place each time.
void relaxRereads(llvm::Function& function);

// A loop that waits until others have changed what it updates atomically: `while (atomicExch(&full, 0) ==
// 0);`, `while (atomicCAS(&state, 1, 2) != 1);`. It repeats the same updates, and nothing that it counts or
// has read before decides whether it goes on. The retry loop of an update, `while (old != (old = atomicCAS(p,
// old, f(old))));`, is none: it fails only where another thread has not.
bool waitsByUpdates(const llvm::Loop& loop);

// Computed from what the loop does not change.
bool isSameEachTime(const llvm::Value& value, const llvm::Loop& loop, unsigned depth = 8);

// Whether an instruction writes nothing that others see, though it may seem to: stores to variables of code
// that is not optimised, fences, and questions for indices and sizes.
bool writesNothingOfOthers(const llvm::Instruction& instruction);

// Of memory that others see. Updates: only atomic ones, that don't count.
enum class CalledAccess { kNone, kPolls, kUpdates, kOther };

// What a call of a function that is not inlined does, with the constants that it is given: loops poll by them
// in code that is not optimised, `while (load(flag) == 0);`, `while (atomicAdd(&count, 0) < goal);`.
CalledAccess accessOfCall(const llvm::CallBase& call);

// An atomic update that only reads: atomicAdd(&value, 0), atomicCAS(&value, 0, 0).
bool readsOnly(const llvm::Instruction& update);

}  // namespace musashim::mcc
