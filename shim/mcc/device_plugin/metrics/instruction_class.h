// What kind of work an instruction is on a GPU.
#pragma once

#include <optional>

#include "llvm/IR/Instruction.h"

namespace musashim::mcc {

// MUSA_CLASS_* of abi/musa_metrics_abi.h; none for what costs nothing there (phis, casts of pointers, debug
// intrinsics, getters of indices).
std::optional<unsigned> instructionClass(const llvm::Instruction& instruction);

}  // namespace musashim::mcc
