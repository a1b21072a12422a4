// Values that all lanes of a warp agree on after they have exchanged theirs.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// True for votes of all lanes, for a value that all take from one lane, and for what a butterfly of shuffles
// ends with: in `v = combine(v, __shfl_xor_sync(all, v, m))` two lanes whose numbers differ in the bit `m`
// get one result when `combine` does not ask which of its operands is whose, and further such steps keep
// that. After a step for each bit of the lane's number all lanes have the same.
bool isWarpUniform(const llvm::Value& value, unsigned warpSize);

}  // namespace musashim::mcc
