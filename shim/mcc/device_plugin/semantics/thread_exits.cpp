#include "thread_exits.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {

void returnAtThreadExits(llvm::Function& kernel) {
  llvm::SmallVector<llvm::Instruction*, 4> exits;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    if (calledName(instruction) == kExitThreadName) exits.push_back(&instruction);
  }
  for (llvm::Instruction* exit : exits) {
    llvm::BasicBlock* block = exit->getParent();
    llvm::changeToUnreachable(exit);
    llvm::Instruction* end = block->getTerminator();
    llvm::IRBuilder<>(end).CreateRetVoid();
    end->eraseFromParent();
  }
}

}  // namespace musashim::mcc
