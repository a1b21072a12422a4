// What is the same for all threads of a warp in a row, whichever row it is.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// `isOfThread`: the value may differ between threads by more than their index. Warps in a row begin at a
// multiple of `warpSize` in x and are in one row of y and z: `threadIdx.x / 32`, `threadIdx.x < 64` and
// `threadIdx.y` are the same for all of a warp's 32 threads.
bool isRowUniform(const llvm::Value& value, unsigned warpSize,
                  llvm::function_ref<bool(const llvm::Value&)> isOfThread);

}  // namespace musashim::mcc
