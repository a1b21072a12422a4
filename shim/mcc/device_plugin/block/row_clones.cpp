#include "row_clones.h"

#include "../device_builtins.h"
#include "../entry_function.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace musashim::mcc {
namespace {

using llvm::Function;

// The vectoriser knows best how much of a row of known length to do at a time.
void allowInterleaving(Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop);
    if (loop == nullptr) continue;
    instruction.setMetadata(
        llvm::LLVMContext::MD_loop,
        llvm::makePostTransformationMetadata(function.getContext(), loop, {"llvm.loop.interleave."}, {}));
  }
}

Function* cloneForRow(UnitFunction& unit, uint32_t length) {
  llvm::ValueToValueMapTy map;
  Function* clone = llvm::CloneFunction(unit.function, map);
  clone->setName(unit.function->getName() + "." + llvm::Twine(length));
  auto* row = llvm::cast<llvm::Instruction>(static_cast<llvm::Value*>(map[unit.blockDim[0]]));
  row->replaceAllUsesWith(llvm::ConstantInt::get(row->getType(), length));
  allowInterleaving(*clone);
  return clone;
}

}  // namespace

Function* cloneForRows(UnitFunction& unit, llvm::ArrayRef<uint32_t> lengths) {
  llvm::SmallVector<Function*, 4> clones;
  for (const uint32_t length : lengths) clones.push_back(cloneForRow(unit, length));
  Function* generic = unit.function;
  Function* choice = createEntry(*generic, ".rows", generic->getReturnType());
  llvm::IRBuilder<> builder(generic->getContext());
  startEntry(builder, *choice);
  llvm::Value* row = emitBlockValue(builder, {{}, BlockValue::kBlockDim, 0}, choice->getArg(0));
  const auto callIn = [&](Function* function) {
    auto* block = llvm::BasicBlock::Create(generic->getContext(), "rows", choice);
    llvm::IRBuilder<> caller(block);
    caller.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    caller.CreateCall(function, {choice->getArg(0)})->setTailCall();
    caller.CreateRetVoid();
    return block;
  };
  llvm::SwitchInst* lengthOf = builder.CreateSwitch(row, callIn(generic));
  for (size_t i = 0; i < lengths.size(); ++i)
    lengthOf->addCase(builder.getInt32(lengths[i]), callIn(clones[i]));
  return choice;
}

}  // namespace musashim::mcc
