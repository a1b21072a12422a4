// Promotes a block's shared memory to vector variables, where threads read what neighbours have written. A
// scan's steps, say, load rows that begin within one vector and end in the next. Store-to-load forwarding
// fails there: a load that overlaps two earlier stores waits until both are done.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// `start`: the start of the block's static shared memory. True when the function was changed; SROA makes
// registers of the variables. The last vector may reach into dynamic memory, of which no offset is constant.
bool promoteToVectors(llvm::Instruction& start, llvm::DominatorTree& dominators);

}  // namespace musashim::mcc
