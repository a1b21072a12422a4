// threadIdx, blockIdx, blockDim, gridDim and warpSize: constants without storage.
#pragma once

#include "llvm/IR/Module.h"

namespace musashim::mcc {

// What reads them asks the device; what has their address gets a copy.
void replaceBuiltinVariables(llvm::Module& module);

}  // namespace musashim::mcc
