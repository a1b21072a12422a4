#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Programs rely on a warp's threads going step by step where shared memory is volatile:
//
//   volatile float* s = shared; s[tid] += s[tid + 16]; s[tid] += s[tid + 8]; ...
//
// is right on hardware without __syncwarp(). So the threads that come along meet between what they load and
// what they store, each at its own place, and the other way round.
void convergeAtVolatileSteps(llvm::Function& kernel);

}  // namespace musashim::mcc
