#include "speculate_shared_loads.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/analysis/uniformity.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::LoadInst;
using llvm::Value;

// The start of shared memory that `load` is at a known offset from, within the kernel's own variables.
struct KnownPlace {
  Value* base = nullptr;
  uint64_t offset = 0;
};

KnownPlace placeOf(LoadInst& load, uint64_t bytes) {
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  Value* pointer = load.getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (!load.isSimple() || calledName(*base) != kSharedBaseName || offset.isNegative()) return {};
  const uint64_t size = layout.getTypeStoreSize(load.getType());
  if (offset.getZExtValue() + size > bytes) return {};
  return {base, offset.getZExtValue()};
}

// Loads at the start of a block, before anything is written.
llvm::SmallVector<LoadInst*, 4> loadsOf(BasicBlock& block, uint64_t bytes) {
  llvm::SmallVector<LoadInst*, 4> loads;
  for (llvm::Instruction& instruction : block) {
    if (instruction.mayHaveSideEffects()) break;
    auto* load = llvm::dyn_cast<LoadInst>(&instruction);
    if (load != nullptr && placeOf(*load, bytes).base != nullptr) loads.push_back(load);
  }
  return loads;
}

}  // namespace

void speculateSharedLoads(llvm::Function& function, const llvm::Function& kernel, unsigned warpSize) {
  uint64_t bytes = 0;
  (void)kernel.getFnAttribute(kSharedBytesAttribute).getValueAsString().getAsInteger(10, bytes);
  if (bytes == 0) return;
  llvm::SmallVector<BasicBlock*, 16> blocks;
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    if (block->getSinglePredecessor() != nullptr && !loadsOf(*block, bytes).empty()) blocks.push_back(block);
  }
  if (blocks.empty()) return;
  const Uniformity uniformity(function, warpSize);
  for (BasicBlock* block : blocks) {
    BasicBlock* before = block->getSinglePredecessor();
    // A branch that all threads take alike costs nothing.
    if (before->getSingleSuccessor() != nullptr || uniformity.hasUniformTerminator(*before)) continue;
    for (LoadInst* load : loadsOf(*block, bytes)) {
      const KnownPlace place = placeOf(*load, bytes);
      if (llvm::cast<llvm::Instruction>(place.base)->getParent() == block) continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      load->setOperand(0, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place.base, place.offset));
      load->moveBefore(before->getTerminator());
    }
  }
}

}  // namespace musashim::mcc
