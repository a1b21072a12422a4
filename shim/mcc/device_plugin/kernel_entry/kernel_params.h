// The layout of a kernel's parameters in the packed buffer, and how to load them.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/source_facts/annotations.h"

namespace musashim::mcc {

struct ParamSlot {
  uint32_t offset = 0;
  uint32_t size = 0;
};

struct ParamLayout {
  std::vector<ParamSlot> slots;
  uint32_t bytes = 0;
};

ParamLayout layoutParams(const KernelAnnotation& kernel);

// The annotation of a kernel; reports a fatal error when it does not fit the function.
KernelAnnotation kernelFacts(const llvm::Function& kernel);

// The argument of a kernel is a pointer to a parameter: a structure.
bool isIndirectParam(const llvm::Argument& argument);

// Emits the kernel's arguments. Uniform ones are loaded at `shared`. Those that a thread may write to are
// copied at `perThread`, into allocas of the entry block.
std::vector<llvm::Value*> loadParams(llvm::Function& kernel, llvm::Value* blockContext,
                                     llvm::IRBuilder<>& shared, llvm::IRBuilder<>& perThread);

}  // namespace musashim::mcc
