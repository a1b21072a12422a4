// What kind of work an instruction is on a GPU, and in which memory.
#pragma once

#include <optional>

#include "llvm/IR/Instruction.h"

namespace musashim::mcc {

// MUSA_CLASS_* of abi/musa_metrics_abi.h; none for what costs nothing there (phis, casts of pointers, debug
// intrinsics, getters of indices).
std::optional<unsigned> instructionClass(const llvm::Instruction& instruction);

// MUSA_MEMORY_*: where what an address of a kernel's points to lies, as far as its code tells.
unsigned memorySpaceOf(const llvm::Value& address);

}  // namespace musashim::mcc
