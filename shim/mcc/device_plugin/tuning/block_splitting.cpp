// Cuts huge basic blocks into parts before the code generator sees them.
#include "block_splitting.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/CommandLine.h"

namespace musashim::mcc {
namespace {

llvm::cl::opt<unsigned> blockSize("musa-block-size",
                                  llvm::cl::desc("Instructions of the parts that huge blocks are cut into"),
                                  llvm::cl::init(1000), llvm::cl::Hidden);

// Local variables have to stay in the entry's own part, and a tail call before its return.
bool mayCutBefore(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::DbgInfoIntrinsic>(instruction) ||
      instruction.isTerminator() || instruction.isEHPad())
    return false;
  const llvm::Instruction* before = instruction.getPrevNode();
  const auto* call = before == nullptr ? nullptr : llvm::dyn_cast<llvm::CallInst>(before);
  return call == nullptr || !call->isMustTailCall();
}

llvm::Instruction* cutOf(llvm::BasicBlock& block) {
  llvm::Instruction* cut = nullptr;
  unsigned count = 0;
  for (llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::AllocaInst>(instruction)) cut = nullptr;
    if (instruction.getType()->isTokenTy()) return nullptr;
    if (++count > blockSize && cut == nullptr && mayCutBefore(instruction)) cut = &instruction;
  }
  return count > 2 * blockSize ? cut : nullptr;
}

// CodeGenPrepare joins blocks again unless there seems to be another way to go: behind a zero of which LLVM
// does not know that it is one.
void setApart(llvm::BasicBlock& block, llvm::BasicBlock& next, llvm::BasicBlock& nowhere) {
  llvm::Instruction* end = block.getTerminator();
  llvm::IRBuilder builder(end);
  llvm::Type* word = builder.getInt32Ty();
  auto* zero = llvm::InlineAsm::get(llvm::FunctionType::get(word, word, false), "", "=r,0", true);
  llvm::Value* isZero = builder.CreateIsNull(builder.CreateCall(zero, builder.getInt32(0)));
  builder.CreateCondBr(isZero, &next, &nowhere,
                       llvm::MDBuilder(block.getContext()).createLikelyBranchWeights());
  end->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses BlockSplitting::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BasicBlock*> huge;
  for (llvm::BasicBlock& block : function)
    if (block.size() > 2 * blockSize) huge.push_back(&block);
  llvm::BasicBlock* nowhere = nullptr;
  for (llvm::BasicBlock* block : huge) {
    while (llvm::Instruction* cut = cutOf(*block)) {
      if (nowhere == nullptr) {
        nowhere = llvm::BasicBlock::Create(function.getContext(), "nowhere", &function);
        llvm::IRBuilder(nowhere).CreateUnreachable();
      }
      llvm::BasicBlock* next = block->splitBasicBlock(cut);
      setApart(*block, *next, *nowhere);
      block = next;
    }
  }
  return nowhere != nullptr ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
