#include "block_size_specialization.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::Function;

Function* cloneForRow(UnitFunction& unit, uint32_t length) {
  llvm::ValueToValueMapTy map;
  Function* clone = llvm::CloneFunction(unit.function, map);
  clone->setName(unit.function->getName() + "." + llvm::Twine(length));
  llvm::Value* row = map.lookup(unit.blockDim[0]);
  row->replaceAllUsesWith(llvm::ConstantInt::get(row->getType(), length));
  allowInterleaving(*clone);
  return clone;
}

// A block's function that dispatches to one of several.
class Choice {
 public:
  explicit Choice(Function& generic)
      : builder_(generic.getContext()), function_(createEntry(generic, ".sizes", generic.getReturnType())) {
    startEntry(builder_, *function_);
    generic.addFnAttr(kColdAttribute);
  }

  Function* function() const { return function_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Value* blockDim(unsigned axis) {
    return emitBlockValue(builder_, {{}, BlockValue::kBlockDim, axis}, function_->getArg(0));
  }
  llvm::BasicBlock* callOf(Function& function) {
    auto* block = llvm::BasicBlock::Create(function.getContext(), "size", function_);
    llvm::IRBuilder<> caller(block);
    caller.SetCurrentDebugLocation(builder_.getCurrentDebugLocation());
    caller.CreateCall(&function, {function_->getArg(0)})->setTailCall();
    caller.CreateRetVoid();
    return block;
  }

 private:
  llvm::IRBuilder<> builder_;
  Function* function_;
};

}  // namespace

void allowInterleaving(Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop);
    if (loop == nullptr) continue;
    instruction.setMetadata(
        llvm::LLVMContext::MD_loop,
        llvm::makePostTransformationMetadata(function.getContext(), loop, {"llvm.loop.interleave."}, {}));
  }
}

Function* cloneForRows(UnitFunction& unit, llvm::ArrayRef<uint32_t> lengths) {
  llvm::SmallVector<Function*, 4> clones;
  for (const uint32_t length : lengths) clones.push_back(cloneForRow(unit, length));
  Function* generic = unit.function;
  Choice choice(*generic);
  llvm::SwitchInst* lengthOf = choice.builder().CreateSwitch(choice.blockDim(0), choice.callOf(*generic));
  for (size_t i = 0; i < lengths.size(); ++i)
    lengthOf->addCase(choice.builder().getInt32(lengths[i]), choice.callOf(*clones[i]));
  return choice.function();
}

llvm::Value* isOfSize(llvm::IRBuilder<>& builder, llvm::Value* block, const BlockSize& size) {
  llvm::Value* same = nullptr;
  for (unsigned axis = 0; axis < 3; ++axis) {
    llvm::Value* dim = emitBlockValue(builder, {{}, BlockValue::kBlockDim, axis}, block);
    llvm::Value* is = builder.CreateICmpEQ(dim, builder.getInt32(size[axis]));
    same = same == nullptr ? is : builder.CreateAnd(same, is);
  }
  return same;
}

Function* chooseBySize(Function& generic, llvm::ArrayRef<std::pair<BlockSize, Function*>> special) {
  Choice choice(generic);
  llvm::IRBuilder<>& builder = choice.builder();
  for (const auto& [size, function] : special) {
    llvm::Value* same = isOfSize(builder, choice.function()->getArg(0), size);
    auto* other = llvm::BasicBlock::Create(generic.getContext(), "other", choice.function());
    builder.CreateCondBr(same, choice.callOf(*function), other);
    builder.SetInsertPoint(other);
  }
  builder.CreateBr(choice.callOf(generic));
  return choice.function();
}

}  // namespace musashim::mcc
