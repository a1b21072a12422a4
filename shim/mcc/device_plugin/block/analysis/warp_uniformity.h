// Values that are uniform in a warp after its lanes have exchanged theirs.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// True for votes of all lanes, for broadcasts (a shuffle from one lane), and for butterfly reductions.
//
// In `v = combine(v, __shfl_xor_sync(all, v, m))` the two lanes whose numbers differ in the bit `m` get one
// result, if `combine` is symmetric in its operands. Later steps of that form keep this. After a step for
// each bit of the lane number all lanes have the same value.
bool isWarpUniform(const llvm::Value& value, unsigned warpSize);

// The mask of a warp operation is constant and names all lanes that it can name.
bool isOfAllLanes(const llvm::CallInst& call);

}  // namespace musashim::mcc
