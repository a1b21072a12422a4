// Functions of nvcc's device runtime that sources declare by themselves: no header has them.
#pragma once

#include "llvm/IR/Module.h"

namespace musashim::mcc {

// `__assertfail`, which is behind nvcc's assert().
void defineDeclaredFunctions(llvm::Module& module);

// Makes a body of `function` that ends the thread as a failed assertion does. The texts are pointers.
void failAsAssertion(llvm::Function& function, llvm::Value* expression, llvm::Value* file, llvm::Value* line,
                     llvm::Value* where);

}  // namespace musashim::mcc
