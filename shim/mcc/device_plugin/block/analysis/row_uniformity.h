// Values that are uniform within a warp, whichever warp of a row of threads it is.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// `isOfThread`: the value may differ between threads by more than their index. Warps of a row begin at a
// multiple of `warpSize` in x and have one y and one z. So `threadIdx.x / 32`, `threadIdx.x < 64` and
// `threadIdx.y` are uniform for a warp of 32 threads.
bool isRowUniform(const llvm::Value& value, unsigned warpSize,
                  llvm::function_ref<bool(const llvm::Value&)> isOfThread);

}  // namespace musashim::mcc
