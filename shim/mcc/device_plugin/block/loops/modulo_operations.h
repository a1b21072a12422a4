// Which loops over threads compute indices that are remainders or the like, and where.
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstrTypes.h"

namespace musashim::mcc {

// i % n, i / n, i & mask, i ^ bit or i >> s: `index` is one more from thread to thread, `other` the same for
// all.
struct ModuloOperation {
  llvm::BinaryOperator* instruction;
  llvm::Value *index, *other;

  unsigned opcode() const { return instruction->getOpcode(); }
  unsigned bits() const { return instruction->getType()->getIntegerBitWidth(); }
  bool isDivision() const { return instruction->isIntDivRem(); }
  // Its result stays the same as long as the remainder does not wrap.
  bool isSame() const {
    return opcode() == llvm::Instruction::UDiv || opcode() == llvm::Instruction::SDiv ||
           opcode() == llvm::Instruction::LShr;
  }
};

struct ModuloLoop {
  llvm::Loop& loop;
  llvm::PHINode* index = nullptr;  // the thread's
  const llvm::SCEV* backedgeTakenCount = nullptr;
  llvm::SmallVector<ModuloOperation, 8> operations = {};
  // Remainders are those of GPUs for zero, too: (i % n) | (i & mask), whose mask is ones for n == 0. Here is
  // i & mask.
  llvm::SmallVector<llvm::BinaryOperator*, 8> zeroMasks = {};

  llvm::Value* maskOf(const llvm::BinaryOperator& masked) const {
    return masked.getOperand(isSameForAll(*masked.getOperand(0)) ? 0 : 1);
  }
  // And not known.
  bool isSameForAll(const llvm::Value& value) const;
};

// False for most loops: there is nothing to find.
bool mayHaveModuloOperations(const llvm::Loop& loop);

// Null for a loop without such operations, or one that cannot be copied. `loop` is in simplified form, if it
// can be, and has at least `fewest` iterations.
std::optional<ModuloLoop> findModuloOperations(llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                               uint64_t fewest);

}  // namespace musashim::mcc
