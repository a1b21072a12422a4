// The block compiler: compiles a kernel to loops over threads. Barriers and warp operations split it into
// regions, and each region becomes a loop (README.md; abi/musa_unit_abi.h says how units run).
//
//   lockstep        prepares control flow       uniformity  what is the same for all threads
//   suspend points  where threads wait          regions     what runs between them
//   values          what crosses regions        emitter     loops over threads, and the code between
#pragma once

#include <string>

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Why the kernel needs a fiber per thread; empty when it does not.
std::string reasonForFibers(llvm::Function& kernel);

// On kernels of which the block compiler made invalid code: a mistake of ours, and they need fibers.
inline constexpr llvm::StringRef kInvalidBlockAttribute = "musa-invalid-block";

// The kernel's MusaBlockFunction.
llvm::Function* compileBlockFunction(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
