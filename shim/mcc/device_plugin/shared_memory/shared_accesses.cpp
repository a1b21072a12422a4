#include "shared_accesses.h"

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr uint64_t kFarthest = 8 << 10;  // bytes from the start

bool isMaskedAccess(const Instruction& instruction, const Value& pointer) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return call->getArgOperand(0) == &pointer;
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return call->getArgOperand(1) == &pointer;
    default:
      return false;
  }
}

// Nothing but comparisons comes of the address: whether two arrays overlap.
bool isOnlyCompared(const Value& address) {
  llvm::SmallSetVector<const llvm::User*, 16> users(address.user_begin(), address.user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    const llvm::User* user = users[i];
    if (llvm::isa<llvm::ICmpInst>(user)) continue;
    if (!llvm::isa<llvm::BinaryOperator>(user)) return false;
    users.insert(user->user_begin(), user->user_end());
  }
  return true;
}

bool isAccess(const Instruction& instruction, const Value& pointer) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isSimple() && store->getValueOperand() != &pointer;
  return isMaskedAccess(instruction, pointer);
}

}  // namespace

Value* VariableAccess::stored() const {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) return store->getValueOperand();
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::masked_store ? call->getArgOperand(0)
                                                                                    : nullptr;
}

Value* VariableAccess::mask() const {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  return call == nullptr ? nullptr : call->getArgOperand(isStore() ? 3 : 2);
}

Value* VariableAccess::passthru() const {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  return call == nullptr || isStore() ? nullptr : call->getArgOperand(3);
}

void SharedAccesses::splitByKind(llvm::DominatorTree& dominators) {
  Instruction* after = start_.getNextNode();
  Instruction* body = &*start_.getParent()->getFirstNonPHIOrDbgOrAlloca();
  llvm::SplitBlock(start_.getParent(), after->comesBefore(body) ? body : after, &dominators);
  llvm::DenseMap<const Instruction*, bool> isKnown;
  for (const VariableAccess& access : known_) isKnown[access.instruction] = true;
  for (Instruction* instruction : unknown_) isKnown[instruction] = false;
  llvm::SetVector<BasicBlock*> blocks;
  for (Instruction* instruction : unknown_) blocks.insert(instruction->getParent());
  llvm::SmallVector<Instruction*, 8> starts;  // of a stretch of the other kind
  for (BasicBlock* block : blocks) {
    std::optional<bool> last;
    for (Instruction& instruction : *block) {
      const auto found = isKnown.find(&instruction);
      if (found == isKnown.end()) continue;
      if (last && *last != found->second) starts.push_back(&instruction);
      last = found->second;
    }
  }
  for (Instruction* instruction : starts)
    llvm::SplitBlock(instruction->getParent(), instruction, &dominators);
  for (const auto& [instruction, known] : isKnown) {
    accessing_.insert(instruction->getParent());
    if (!known) withUnknown_.insert(instruction->getParent());
  }
}

bool SharedAccesses::accessedFrom(BasicBlock& block) const {
  return llvm::any_of(llvm::depth_first(&block),
                      [this](const BasicBlock* next) { return accessing_.contains(next); });
}

bool SharedAccesses::find(Instruction& pointer) {
  return llvm::all_of(pointer.users(), [&](llvm::User* user) {
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) return find(*element);
    auto& instruction = *llvm::cast<Instruction>(user);
    if (llvm::isa<llvm::ICmpInst>(instruction)) return true;
    if (llvm::isa<llvm::PtrToIntInst>(instruction)) return isOnlyCompared(instruction);
    if (!isAccess(instruction, pointer)) return false;
    add(instruction, pointer);
    return true;
  });
}

void SharedAccesses::add(Instruction& instruction, const Value& pointer) {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(start_.getType()), 0);
  const Value* base = pointer.stripAndAccumulateConstantOffsets(layout_, offset, true);
  const VariableAccess access{&instruction, offset.getZExtValue()};
  const bool isKnown = base == &start_ && pointer.getType()->isPointerTy() && !offset.isNegative() &&
                       offset.ult(kFarthest) && isPlain(access);
  if (isKnown) {
    known_.push_back(access);
  } else {
    unknown_.push_back(&instruction);
  }
}

// Numbers without gaps between them.
bool SharedAccesses::isPlain(const VariableAccess& access) const {
  const llvm::Type* scalar = access.type()->getScalarType();
  if (!scalar->isIntegerTy() && !scalar->isFloatingPointTy()) return false;
  if (llvm::isa<llvm::ScalableVectorType>(access.type())) return false;
  const uint64_t bits = layout_.getTypeSizeInBits(const_cast<llvm::Type*>(scalar)).getFixedValue();
  return bits % 8 == 0 && llvm::isPowerOf2_64(bits) && bits <= 64;
}

}  // namespace musashim::mcc
