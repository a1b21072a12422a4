#include "wait_loops.h"

#include <optional>

#include "block/suspensions.h"
#include "device_builtins.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace musashim::mcc {
namespace {

using llvm::AtomicRMWInst;
using llvm::Instruction;

// atomicAdd(&value, 0) is how many programs read.
bool readsOnly(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
      return llvm::PatternMatch::match(update.getValOperand(), llvm::PatternMatch::m_Zero());
    default:
      return false;
  }
}

bool looks(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
  const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  return update != nullptr && readsOnly(*update);
}

// What others will not see: variables of code that is not optimised, and fences.
bool isPrivate(const Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return llvm::isa<llvm::FenceInst>(instruction);
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
}

bool isWait(const llvm::Loop& loop) {
  bool found = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (looks(instruction)) {
        found = true;
      } else if (instruction.mayWriteToMemory() && !isPrivate(instruction)) {
        return false;
      }
    }
  }
  return found;
}

bool dependsOnThread(const llvm::Value& value, unsigned depth = 0) {
  constexpr unsigned kFarthest = 12;
  if (calledThreadIdx(value) != nullptr) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == kFarthest || llvm::isa<llvm::PHINode>(instruction)) return false;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use& use) { return dependsOnThread(*use.get(), depth + 1); });
}

// Of a volatile access to shared memory, at a place that is the thread's own: what it does.
enum class Step { kLoad, kStore };
std::optional<Step> stepOf(const Instruction& instruction) {
  if (!instruction.isVolatile()) return std::nullopt;
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr || !dependsOnThread(*pointer)) return std::nullopt;
  const llvm::StringRef base = calledName(*llvm::getUnderlyingObject(pointer, 0));
  if (base != kSharedBaseName && base != kDynamicSharedName) return std::nullopt;
  return llvm::isa<llvm::LoadInst>(instruction) ? Step::kLoad : Step::kStore;
}

// The instructions of `block` before which threads meet.
void findMeetings(llvm::BasicBlock& block, llvm::SmallVectorImpl<Instruction*>& meetings) {
  std::optional<Step> last;
  for (Instruction& instruction : block) {
    const std::optional<Step> step = stepOf(instruction);
    if (step && last && step != last) meetings.push_back(&instruction);
    if (step) last = step;
    if (calledOp(instruction)) last.reset();
  }
  if (last == Step::kStore) meetings.push_back(block.getTerminator());
}

}  // namespace

void meetAtVolatileSteps(llvm::Function& kernel) {
  bool loads = false;
  llvm::SmallVector<Instruction*, 16> meetings;
  for (llvm::BasicBlock& block : kernel) {
    findMeetings(block, meetings);
    loads |= llvm::any_of(block, [](const Instruction& one) { return stepOf(one) == Step::kLoad; });
  }
  if (!loads) return;
  llvm::Module& module = *kernel.getParent();
  llvm::IRBuilder<> builder(kernel.getContext());
  const auto here = module.getOrInsertFunction("__musa_activemask", builder.getInt32Ty());
  const auto meet = module.getOrInsertFunction("__musa_syncwarp", builder.getVoidTy(), builder.getInt32Ty());
  for (Instruction* meeting : meetings) {
    builder.SetInsertPoint(meeting);
    builder.CreateCall(meet, builder.CreateCall(here));
  }
}

void yieldInWaitLoops(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::IRBuilder<> builder(function.getContext());
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    if (!loop->isInnermost() || !isWait(*loop)) continue;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {
      builder.SetInsertPoint(latch->getTerminator());
      auto sleep = function.getParent()->getOrInsertFunction("__musa_nanosleep", builder.getVoidTy(),
                                                             builder.getInt32Ty());
      builder.CreateCall(sleep, builder.getInt32(0));
    }
  }
}

}  // namespace musashim::mcc
