// Rematerialization of phis whose incoming values are all the same expression.
//
// LLVM computes an index on each path to a join, and a phi brings it there. In code compiled by regions such
// a phi is a value stored for each thread. Computed again behind the join, the loop over threads sees what it
// is.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Replaces such phis by the expression, at the join.
void rematerializePhis(llvm::Function& function);

}  // namespace musashim::mcc
