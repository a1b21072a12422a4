// Keeps a block's shared memory in vectors, each a variable of its own, where threads read what neighbours
// have written: a scan's steps, say, read rows that begin within one vector and end in the next. A processor
// does not pass on to a load what two stores before it have written; it waits until both are done.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// `start`: where the block's static shared memory begins. True when the function was changed; SROA makes
// registers of the variables. Of dynamic memory no place is known: the last vector may reach into it.
bool moveToVectors(llvm::Instruction& start, llvm::DominatorTree& dominators);

}  // namespace musashim::mcc
