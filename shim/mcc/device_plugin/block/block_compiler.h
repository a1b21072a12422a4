// Compiles kernels whose threads wait for each other: regions between barriers become
// loops over threads (abi/musa_unit_abi.h says how units run).
//
//   suspend points  where threads wait            regions  what runs between
//   uniformity   what is the same for all      values   what crosses from region to region
//   emitter      loops over threads, and the ways between regions
#pragma once

#include <string>

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Why the kernel's threads need stacks of their own; empty when they do not.
std::string reasonForFibers(llvm::Function& kernel);

// The kernel's MusaBlockFunction.
llvm::Function* compileBlockFunction(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
