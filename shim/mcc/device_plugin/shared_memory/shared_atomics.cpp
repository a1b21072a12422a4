#include "shared_atomics.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

bool isSharedMemory(const llvm::Value& pointer) {
  return isSharedBase(*llvm::getUnderlyingObject(uncheckedPointer(&pointer), /*MaxLookup=*/0));
}

// The loads and stores that lowering made next to `before` depend on other threads' ones.
void markDependent(llvm::Instruction* first, llvm::Instruction* last) {
  for (llvm::Instruction* at = first; at != last; at = at->getNextNode()) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(at)) continue;
    at->setMetadata(kDependentMetadata, llvm::MDNode::get(at->getContext(), {}));
  }
}

template <typename Atomic, typename Lower>
void lowerOne(Atomic* atomic, Lower lower) {
  llvm::Instruction* previous = atomic->getPrevNode();
  llvm::BasicBlock* block = atomic->getParent();
  llvm::Instruction* next = atomic->getNextNode();
  lower(atomic);
  markDependent(previous != nullptr ? previous->getNextNode() : &block->front(), next);
}

}  // namespace

void lowerSharedAtomics(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (isSharedMemory(*update->getPointerOperand())) lowerOne(update, llvm::lowerAtomicRMWInst);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (isSharedMemory(*exchange->getPointerOperand())) lowerOne(exchange, llvm::lowerAtomicCmpXchgInst);
    }
  }
}

}  // namespace musashim::mcc
