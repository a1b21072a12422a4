#include "unpredictable_selects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

constexpr unsigned kDeepest = 3;  // operations between a load and the comparison

bool isOfLoadedData(const Value& value, const Loop& loop, unsigned deepest = kDeepest) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || !loop.contains(instruction)) return false;
  if (llvm::isa<llvm::LoadInst>(instruction)) return true;
  if (deepest == 0 || !llvm::isa<llvm::CmpInst, llvm::BinaryOperator, llvm::CastInst>(instruction))
    return false;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return isOfLoadedData(*operand, loop, deepest - 1); });
}

// What the loop has had before: then the other value may be rare, as in a search for the largest.
bool isKept(const Value& value, const Loop& loop) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi != nullptr && phi->getParent() == loop.getHeader();
}

bool isStep(const llvm::SelectInst& select, const Loop& loop) {
  if (!select.getType()->isIntegerTy() && !select.getType()->isPointerTy()) return false;
  if (isKept(*select.getTrueValue(), loop) || isKept(*select.getFalseValue(), loop)) return false;
  const bool isCarried = llvm::any_of(loop.getHeader()->phis(), [&](const llvm::PHINode& phi) {
    return llvm::is_contained(phi.incoming_values(), &select);
  });
  return isCarried && isOfLoadedData(*select.getCondition(), loop);
}

}  // namespace

llvm::PreservedAnalyses UnpredictableSelects::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  llvm::MDNode* mark = llvm::MDBuilder(function.getContext()).createUnpredictable();
  for (const Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (Instruction& instruction : *block) {
        auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        if (select != nullptr && isStep(*select, *loop))
          select->setMetadata(llvm::LLVMContext::MD_unpredictable, mark);
      }
    }
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
