#include "slot_liveness.h"

namespace musashim::mcc {

using Homes = llvm::DenseMap<const llvm::BasicBlock*, const Region*>;

SlotLiveness::SlotLiveness(const RegionGraph& graph, const SlotTable& slots, RegionValues& values,
                           const Homes& home)
    : slots_(slots), values_(values), inside_(graph.regions().size()), defined_(graph.regions().size()) {
  findAccesses(home);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = graph.regions().size(); i-- > 0;) changed |= addSuccessors(*graph.regions()[i]);
  }
}

void SlotLiveness::findAccesses(const Homes& home) {
  for (const auto& slot : slots_.slots()) {
    if (!slot->local) continue;
    llvm::SmallVector<const llvm::Value*, 8> work{slot->address};
    while (!work.empty()) {
      for (const llvm::User* user : work.pop_back_val()->users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
          work.push_back(instruction);
          continue;
        }
        const Region* region = home.lookup(instruction->getParent());
        if (llvm::isa<llvm::StoreInst>(instruction)) {
          if (slot->definedOnce) defined_[region->index][slot.get()] = true;
        } else {
          inside_[region->index].insert(slot.get());
        }
      }
    }
  }
}

SlotSet SlotLiveness::before(const Region& region) const {
  SlotSet result = inside_[region.index];
  if (region.completes == nullptr) return result;
  const SuspendPointCode& code = values_.code(*region.completes);
  if (code.result != nullptr) result.remove(code.result);
  for (const OperandPlace* operand : {&code.mask, &code.value, &code.argument, &code.width}) {
    if (operand->slot != nullptr && operand->slot->local) result.insert(operand->slot);
  }
  return result;
}

bool SlotLiveness::addSuccessors(const Region& region) {
  SlotSet& inside = inside_[region.index];
  const size_t known = inside.size();
  for (const Region* next : region.next) {
    for (const Slot* slot : before(*next)) {
      if (!defined_[region.index].contains(slot) && !values_.isMovedBetween(*slot, region, *next))
        inside.insert(slot);
    }
  }
  return inside.size() != known;
}

}  // namespace musashim::mcc
