#include "threads_apart.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "suspend_points.h"
#include "warp_uniformity.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

bool polls(const Instruction& instruction) { return calledOp(instruction) == MUSA_OP_YIELD; }

}  // namespace

// The operation ends only when every thread of the unit that lives is there. A mask is of 32 lanes.
bool ThreadsApart::meetsAll(const Instruction& instruction) const {
  const std::optional<MusaUnitOp> op = calledOp(instruction);
  if (!op) return false;
  if (musaOpIsBarrier(*op) != 0) return true;
  if (warpSize_ != 32 || musaOpIsWarps(*op) == 0 || *op == MUSA_OP_CONVERGE || *op == MUSA_OP_ACTIVEMASK)
    return false;
  return isOfAllLanes(llvm::cast<llvm::CallInst>(instruction));
}

bool ThreadsApart::holdsMeeting(const BasicBlock& block) const {
  return llvm::any_of(block, [this](const Instruction& instruction) { return meetsAll(instruction); });
}

// Whether threads that enter the block may enter it again before all have met.
bool ThreadsApart::comesAgain(const BasicBlock& block) const {
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  llvm::SmallVector<const BasicBlock*, 16> work{&block};
  while (!work.empty()) {
    const BasicBlock* at = work.pop_back_val();
    if (holdsMeeting(*at)) continue;
    for (const BasicBlock* next : llvm::successors(at)) {
      if (next == &block) return true;
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

void ThreadsApart::collectValues(const BasicBlock& block, bool entersApart) {
  if (entersApart && !block.phis().empty() && comesAgain(block)) {
    for (const llvm::PHINode& phi : block.phis()) values_.insert(&phi);
  }
  bool apart = entersApart;
  for (const Instruction& instruction : block) {
    if (meetsAll(instruction)) apart = false;
    if (polls(instruction)) apart = true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (apart && load != nullptr && !load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
      values_.insert(load);
  }
}

void ThreadsApart::find(const llvm::Function& function,
                        llvm::function_ref<bool(const BasicBlock&)> isDiverged) {
  llvm::SmallPtrSet<const BasicBlock*, 16> entered;
  llvm::SmallVector<const BasicBlock*, 16> work;
  // Takes up the blocks behind one that threads leave apart.
  const auto leave = [&](const BasicBlock& block) {
    blocks_.insert(&block);
    for (const BasicBlock* next : llvm::successors(&block)) {
      if (entered.insert(next).second) work.push_back(next);
    }
  };
  for (const BasicBlock& block : function) {
    if (!isDiverged(block)) continue;
    bool apart = false;
    for (const Instruction& instruction : block)
      apart = polls(instruction) || (apart && !meetsAll(instruction));
    if (apart) leave(block);
  }
  while (!work.empty()) {
    const BasicBlock& block = *work.pop_back_val();
    blocks_.insert(&block);
    if (!holdsMeeting(block)) leave(block);
  }
  for (const BasicBlock* block : blocks_) collectValues(*block, entered.contains(block));
}

}  // namespace musashim::mcc
