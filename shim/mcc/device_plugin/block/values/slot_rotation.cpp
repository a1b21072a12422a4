#include "slot_rotation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

// Calls `visit` with each load and store of an element.
template <typename Visit>
void forEachAccess(const Slot& slot, Visit visit) {
  for (const llvm::User* element : slot.address->users()) {
    for (const llvm::User* access : element->users()) visit(*llvm::cast<Instruction>(access));
  }
}

}  // namespace

void SlotRotation::plan(std::vector<EdgeMove>& moves) {
  llvm::MapVector<std::pair<llvm::BasicBlock*, const Region*>, Moves> edges;
  for (EdgeMove& move : moves) edges[{move.from, move.to}].push_back(&move);
  for (const auto& [edge, onEdge] : edges) {
    if (isTakenByAll(*edge.first, *edge.second)) planEdge(onEdge);
  }
  llvm::erase_if(moves, [](const EdgeMove& move) { return move.slot == nullptr; });
  for (const Rotation& rotation : rotations_) {
    for (Slot* slot : rotation.slots) makeMovable(*slot);
  }
}

// The edge of a loop that is the only one from its region to the other.
bool SlotRotation::isTakenByAll(llvm::BasicBlock& from, const Region& to) const {
  const Region& region = graph_.regionOf(&from);
  if (region.exit != RegionExit::kOne || !region.inCycle || !to.inCycle) return false;
  return llvm::all_of(region.blocks, [&](llvm::BasicBlock* block) {
    return block == &from || !llvm::is_contained(llvm::successors(block), to.head);
  });
}

// The slot whose array has the value when threads take the edge.
Slot* SlotRotation::sourceOf(const EdgeMove& move) const {
  if (move.original == nullptr || llvm::isa<llvm::AllocaInst>(move.original)) return nullptr;
  Slot* source = slotFor_.lookup(move.original);
  if (source == nullptr || source->scalar || source == move.slot || pinned_.contains(source)) return nullptr;
  if (source->type != move.slot->type) return nullptr;
  // Another value that shares the slot may be there by then.
  const Region& region = graph_.regionOf(move.from);
  bool holds = true;
  forEachAccess(*source, [&](const Instruction& access) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
    if (store == nullptr || home_.lookup(store->getParent()) != &region) return;
    holds &= store->getValueOperand() == move.original;
  });
  return holds ? source : nullptr;
}

// No thread that enters the region uses what the array has now.
bool SlotRotation::isDeadAt(const Slot& slot, const Region& region) const {
  if (!slot.definedOnce) return false;
  llvm::SmallPtrSet<const Region*, 8> users, definers, seen;
  forEachAccess(slot, [&](const Instruction& access) {
    (llvm::isa<llvm::StoreInst>(access) ? definers : users).insert(home_.lookup(access.getParent()));
  });
  if (users.contains(nullptr)) return false;
  llvm::SmallVector<const Region*, 8> work{&region};
  while (!work.empty()) {
    const Region* next = work.pop_back_val();
    if (definers.contains(next) || !seen.insert(next).second) continue;
    if (users.contains(next)) return false;
    work.append(next->next.begin(), next->next.end());
  }
  return true;
}

void SlotRotation::planEdge(const Moves& moves) {
  llvm::DenseMap<const Slot*, EdgeMove*> moveTo;
  llvm::MapVector<Slot*, Slot*> nextOf;  // by slot: whose array it gets
  llvm::DenseSet<const Slot*> taken;
  for (EdgeMove* move : moves) {
    if (move->slot->scalar || pinned_.contains(move->slot)) continue;
    moveTo[move->slot] = move;
    Slot* source = sourceOf(*move);
    if (source != nullptr && taken.insert(source).second) nextOf[move->slot] = source;
  }
  llvm::DenseSet<const Slot*> done;
  const auto follow = [&](Slot* slot) {
    llvm::SmallVector<Slot*, 4> chain;
    for (; slot != nullptr && done.insert(slot).second; slot = nextOf.lookup(slot)) chain.push_back(slot);
    add(std::move(chain), moveTo);
  };
  for (const auto& [slot, next] : nextOf) {
    if (!taken.contains(slot)) follow(slot);
  }
  for (const auto& [slot, next] : nextOf) {
    if (!done.contains(slot)) follow(slot);  // in a circle
  }
}

void SlotRotation::add(llvm::SmallVector<Slot*, 4> chain,
                       const llvm::DenseMap<const Slot*, EdgeMove*>& moveTo) {
  const EdgeMove& first = *moveTo.at(chain.front());
  const Region &from = graph_.regionOf(first.from), &to = *first.to;
  // What the last one has goes on being used: it is copied.
  if (!moveTo.contains(chain.back()) && !isDeadAt(*chain.back(), to)) chain.pop_back();
  if (chain.size() < 2) return;
  EdgeMove* last = moveTo.lookup(chain.back());
  const bool inCircle = last != nullptr && sourceOf(*last) == chain.front();
  for (Slot* slot : chain) {
    EdgeMove* move = moveTo.lookup(slot);
    if (move != nullptr && (move != last || inCircle)) move->slot = nullptr;
  }
  if (last != nullptr && !inCircle) last->slot = chain.front();  // it gets this array
  rotations_.push_back({&from, &to, std::move(chain)});
}

// From now on a variable says where the slot's array is.
void SlotRotation::makeMovable(Slot& slot) {
  if (slot.base != nullptr) return;
  llvm::SmallVector<llvm::User*, 8> elements(slot.address->users());
  llvm::IRBuilder<> entry = unit_.atEntryEnd();
  slot.base = llvm::IRBuilder<>(&*unit_.entry().getFirstNonPHIOrDbg()).CreateAlloca(entry.getPtrTy());
  entry.CreateStore(slot.address, slot.base);
  for (llvm::User* element : elements) {
    llvm::IRBuilder<> builder(llvm::cast<Instruction>(element));
    element->replaceUsesOfWith(slot.address, builder.CreateLoad(builder.getPtrTy(), slot.base));
  }
}

void SlotRotation::emit(llvm::IRBuilder<>& builder, const Region& from, const Region& to) const {
  for (const Rotation& rotation : rotations_) {
    if (rotation.from != &from || rotation.to != &to) continue;
    llvm::SmallVector<llvm::Value*, 4> addresses;
    for (const Slot* slot : rotation.slots)
      addresses.push_back(builder.CreateLoad(builder.getPtrTy(), slot->base));
    for (size_t i = 0; i < addresses.size(); ++i)
      builder.CreateStore(addresses[(i + 1) % addresses.size()], rotation.slots[i]->base);
  }
}

}  // namespace musashim::mcc
