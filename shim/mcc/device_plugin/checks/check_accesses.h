// Checks before loads, stores and atomics of checked device code.
#pragma once

#include <string>

#include "check_code.h"
#include "llvm/IR/IntrinsicInst.h"

namespace musashim::mcc {

class AccessChecks {
 public:
  explicit AccessChecks(CheckCode& code) : code_(code), layout_(code.layout) {}

  // Adds the check of what the instruction accesses, if anything. It then accesses the address that the check
  // returns.
  void visit(llvm::Instruction& instruction);
  // The same for what a callee accesses through an argument.
  void visitArgument(llvm::CallInst& call, unsigned argument, uint64_t bytes, uint8_t kind);

 private:
  // The object of an access, as far as the compiler can see.
  struct Target {
    llvm::Value* base = nullptr;  // alloca or global variable with a size; else null
    uint64_t baseBytes = 0;
    uint8_t space = MUSA_SPACE_GENERIC;
    std::string name;
    bool inBounds = false;  // proven
    bool isPrivate() const { return space == MUSA_SPACE_LOCAL || space == MUSA_SPACE_VARIABLE; }
  };
  struct Access {
    llvm::Instruction& at;
    Target target;
    uint64_t bytes, align;
    uint64_t aligned;  // known to be, by this
    uint8_t kind;
    llvm::Constant* site;
    llvm::Value* bits;   // that are stored, where they are known
    llvm::Value* known;  // whether they are
  };

  void access(llvm::Instruction& at, unsigned operand, uint64_t bytes, llvm::Align align, uint8_t kind);
  void range(llvm::MemIntrinsic& at, unsigned operand, llvm::Align align, uint8_t kind);
  llvm::Value* check(llvm::Instruction& at, llvm::Value* pointer, const Target& target, uint64_t bytes,
                     uint64_t align, uint8_t kind);
  llvm::Value* checkShared(llvm::IRBuilder<>& builder, llvm::Value* pointer, const Access& access);
  llvm::Value* checkOther(llvm::IRBuilder<>& builder, llvm::Value* pointer, const Access& access);
  llvm::Value* checkBounds(llvm::Instruction& at, llvm::Value* pointer, const Target& target,
                           llvm::Value* bytes, llvm::Constant* site);

  Target targetOf(llvm::Value* pointer, uint64_t bytes) const;
  bool isInBounds(llvm::Value* pointer, llvm::Value* object, const Target& target, uint64_t bytes) const;
  llvm::Value* offsetIn(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Value* base) const;
  llvm::Value* storedBits(llvm::IRBuilder<>& builder, llvm::Instruction& at) const;

  CheckCode& code_;
  const llvm::DataLayout& layout_;
  unsigned nextSlot_ = 0;
};

}  // namespace musashim::mcc
