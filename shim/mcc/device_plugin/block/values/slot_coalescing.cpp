#include "slot_coalescing.h"

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

using llvm::Instruction;

void SlotCoalescing::add(Instruction& instruction) {
  number_[&instruction] = static_cast<unsigned>(values_.size());
  values_.push_back(&instruction);
}

const Region& SlotCoalescing::home(unsigned value) const {
  const Instruction* instruction = values_[value];
  const auto found = slotDefined_.find(instruction);
  return found != slotDefined_.end() ? *found->second : graph_.regionOf(instruction->getParent());
}

// Users that are no candidates are rematerialized where they are used: a use there.
void SlotCoalescing::findUsesOf(unsigned value) {
  const Region& own = home(value);
  definitions_[own.index].set(value);
  llvm::SmallVector<const llvm::Value*, 8> work{values_[value]};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    for (const llvm::Use& use : work.pop_back_val()->uses()) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      const llvm::BasicBlock* where = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
      if (!graph_.hasRegion(where)) continue;
      const Region& region = graph_.regionOf(where);
      if (&region != &own) uses_[region.index].set(value);
      if (phi == nullptr && !number_.contains(user) && seen.insert(user).second) work.push_back(user);
    }
  }
}

void SlotCoalescing::findUses() {
  for (unsigned value = 0; value < values_.size(); ++value) findUsesOf(value);
}

void SlotCoalescing::solveLiveness() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = graph_.regions().rbegin(); it != graph_.regions().rend(); ++it) {
      const Region& region = **it;
      llvm::BitVector out(static_cast<unsigned>(values_.size()));
      for (const Region* next : region.next) out |= liveIn_[next->index];
      llvm::BitVector in = out;
      in |= uses_[region.index];
      in.reset(definitions_[region.index]);
      changed |= in != liveIn_[region.index] || out != liveOut_[region.index];
      liveIn_[region.index] = std::move(in);
      liveOut_[region.index] = std::move(out);
    }
  }
}

// Interference: the definition of one would overwrite the other while that is live.
bool SlotCoalescing::interfere(unsigned a, unsigned b) const {
  const bool aAtEntry = slotDefined_.contains(values_[a]), bAtEntry = slotDefined_.contains(values_[b]);
  const Region& homeA = home(a);
  const Region& homeB = home(b);
  if (&homeA == &homeB) {
    if (aAtEntry == bAtEntry) return true;
    return liveOut_[homeA.index][aAtEntry ? a : b];
  }
  // What is defined as threads enter a region overwrites what the region itself still uses.
  const auto& neededAtA = aAtEntry ? liveIn_ : liveOut_;
  const auto& neededAtB = bAtEntry ? liveIn_ : liveOut_;
  return neededAtA[homeA.index][b] || neededAtB[homeB.index][a];
}

bool SlotCoalescing::groupsInterfere(unsigned a, unsigned b) const {
  for (unsigned i = 0; i < values_.size(); ++i) {
    if (group_[i] != a) continue;
    for (unsigned j = 0; j < values_.size(); ++j) {
      if (group_[j] == b && interfere(i, j)) return true;
    }
  }
  return false;
}

llvm::DenseMap<const Instruction*, const Instruction*> SlotCoalescing::compute() {
  const auto count = static_cast<unsigned>(values_.size());
  const llvm::BitVector none(count);
  for (auto* sets : {&uses_, &definitions_, &liveIn_, &liveOut_}) sets->assign(graph_.regions().size(), none);
  findUses();
  solveLiveness();
  for (unsigned i = 0; i < count; ++i) group_.push_back(i);

  for (unsigned i = 0; i < count; ++i) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(values_[i]);
    if (phi == nullptr || !slotDefined_.contains(phi)) continue;
    for (const llvm::Use& incoming : phi->incoming_values()) {
      const auto* value = llvm::dyn_cast<Instruction>(incoming.get());
      const auto found = value == nullptr ? number_.end() : number_.find(value);
      if (found == number_.end() || group_[found->second] == group_[i]) continue;
      // Only values that other regions than their own use have a slot to share.
      if (llvm::isa<llvm::CallInst>(value) && slotDefined_.contains(value)) continue;  // a slot of its own
      const bool headPhi = slotDefined_.contains(value);
      if (!headPhi && &graph_.regionOf(phi->getIncomingBlock(incoming)) == &home(found->second)) continue;
      if (groupsInterfere(group_[i], group_[found->second])) continue;
      const unsigned merged = group_[found->second];
      for (unsigned& group : group_) {
        if (group == merged) group = group_[i];
      }
    }
  }
  llvm::DenseMap<const Instruction*, const Instruction*> leaders;
  for (unsigned i = 0; i < count; ++i) leaders[values_[i]] = values_[group_[i]];
  return leaders;
}

}  // namespace musashim::mcc
