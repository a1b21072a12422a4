// Which loops over threads compute indices that are remainders or the like, and where.
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstrTypes.h"

namespace musashim::mcc {

inline constexpr uint64_t kModuloStrip = 16;         // threads: a vector of floats, or two
inline constexpr uint64_t kLeastModuloDivisor = 64;  // of smaller ones, too many strips wrap

// i % n, i / n, i & mask, i ^ bit or i >> s: `index` is `step` more from thread to thread, `other` the same
// for all.
struct ModuloOperation {
  llvm::BinaryOperator* instruction;
  llvm::Value *index, *other;
  uint64_t step;  // a power of two; 1 where `other` is no constant, and for divisions
  // The result stays the same as long as the remainder does not wrap; else it is `step` more from thread to
  // thread.
  bool isSame;

  unsigned opcode() const { return instruction->getOpcode(); }
  unsigned bits() const { return instruction->getType()->getIntegerBitWidth(); }
  bool isDivision() const { return instruction->isIntDivRem(); }
  // What `index` takes in a strip.
  uint64_t stripLength() const { return step * kModuloStrip; }
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

// Null for a loop without such operations, or one that cannot be copied.
std::optional<ModuloLoop> findModuloOperations(llvm::Loop& loop, llvm::ScalarEvolution& evolution);

}  // namespace musashim::mcc
