#include "unit_function.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

namespace musashim::mcc {

using llvm::BasicBlock;

llvm::StructType* unitType(llvm::LLVMContext& context) {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* dim3 = llvm::ArrayType::get(i32, 3);
  return llvm::StructType::get(context, {ptr, ptr, ptr, ptr, i32, i32, i32, i32, dim3, i32, ptr, ptr, i32});
}

bool hasSpinLoop(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    if (loops.getLoopFor(instruction.getParent()) == nullptr) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (update != nullptr) return update->getOperation() == llvm::AtomicRMWInst::Xchg;
    return llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
  });
}

void hoistToEntry(UnitFunction& unit) {
  BasicBlock* entry = &unit.entry();
  const auto isReady = [entry](const llvm::Use& operand) {
    const auto* definition = llvm::dyn_cast<llvm::Instruction>(operand.get());
    return definition == nullptr || definition->getParent() == entry;
  };
  llvm::ReversePostOrderTraversal<llvm::Function*> order(unit.function);
  for (BasicBlock* block : order) {
    if (block == entry) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::CallInst>(instruction) ||
          instruction.isTerminator()) {
        if (!llvm::isa<llvm::IntrinsicInst>(instruction)) continue;
      }
      if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) continue;
      if (llvm::all_of(instruction.operands(), isReady)) instruction.moveBefore(entry->getTerminator());
    }
  }
}

FrameAliasing::FrameAliasing(llvm::LLVMContext& context) {
  llvm::MDBuilder builder(context);
  llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain("musa.unit");
  frame_ = llvm::MDNode::get(context, {builder.createAnonymousAliasScope(domain, "frame")});
}

void FrameAliasing::markFrameAccess(llvm::Instruction& access) const {
  access.setMetadata(llvm::LLVMContext::MD_alias_scope, frame_);
}

void FrameAliasing::markOthers(llvm::Function& function) const {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
    if (instruction.getMetadata(llvm::LLVMContext::MD_alias_scope) == frame_) continue;
    llvm::MDNode* known = instruction.getMetadata(llvm::LLVMContext::MD_noalias);
    instruction.setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::concatenate(known, frame_));
  }
}

}  // namespace musashim::mcc
