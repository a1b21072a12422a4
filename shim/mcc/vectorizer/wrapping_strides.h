// Keeps loops from the vectoriser that it gets wrong, in device code and in the host's.
//
// LLVM 19 makes interleave groups of three of loads whose index of 8 or 16 bits has a stride of three, and
// does not check whether the index wraps: `for (int i = 0; i < n; ++i) s[i] = in[(unsigned char)(i * 3)];`
// reads past the 256th element. (clang++ 19.1.7 -O2 by itself as well; not g++, which nvcc has for host
// code.)
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Before vectorising.
struct WrappingStrides : llvm::PassInfoMixin<WrappingStrides> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
