#include "unit_function.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"

namespace musashim::mcc {

llvm::StructType* unitType(llvm::LLVMContext& context) {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* dim3 = llvm::ArrayType::get(i32, 3);
  return llvm::StructType::get(context, {ptr, ptr, ptr, ptr, i32, i32, i32, i32, dim3, i32, ptr, ptr});
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
