#include "region_values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "mcc/device_plugin/device_builtins.h"
#include "slot_coalescing.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;

constexpr unsigned kRecomputeDepth = 8;
constexpr unsigned kRecomputeCost = 16;

bool dividesByConstant(const llvm::BinaryOperator& operation) {
  const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  return divisor != nullptr && !divisor->isZero() && !divisor->isMinusOne();
}

// Cheap, without side effects, and the same wherever it is computed.
bool isCheap(const llvm::Instruction& instruction) {
  if (instruction.getType()->isVectorTy()) return false;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    if (!operation->getType()->isIntegerTy()) return false;
    return !operation->isIntDivRem() || dividesByConstant(*operation);
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return llvm::isa<llvm::MinMaxIntrinsic>(intrinsic) || intrinsic->getIntrinsicID() == llvm::Intrinsic::abs;
  }
  return llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst,
                   llvm::FreezeInst>(instruction);
}

llvm::Instruction* prologueEnd(BasicBlock* block) { return block->getTerminator(); }

}  // namespace

RegionValues::RegionValues(UnitFunction& unit, RegionGraph& graph, SlotTable& slots,
                           const std::vector<std::unique_ptr<SuspendPoint>>& suspendPoints)
    : unit_(unit),
      graph_(graph),
      slots_(slots),
      suspendPoints_(suspendPoints),
      threadsDiverge_(graph.threadsDiverge()),
      code_(graph.regions().size()),
      cutConditions_(graph.regions().size()) {}

void RegionValues::run() {
  hoistToEntry(unit_);
  for (const auto& region : graph_.regions()) {
    llvm::LLVMContext& context = unit_.function->getContext();
    RegionCode& code = code_[region->index];
    code.scalarPrologue = BasicBlock::Create(context, "region", unit_.function, region->head);
    code.threadPrologue = BasicBlock::Create(context, "thread", unit_.function, region->head);
    llvm::BranchInst::Create(region->head, code.threadPrologue);
    for (llvm::PHINode& phi : region->head->phis()) {
      slotDefined_[&phi] = region.get();
      headPhis_.push_back(&phi);
    }
  }
  for (const auto& suspendPoint : suspendPoints_) {
    if (const Region* after = graph_.regionAt(suspendPoint->after)) slotDefined_[suspendPoint->call] = after;
  }
  expandAllocas();
  narrowOperands();
  planSlots();
  for (const auto& suspendPoint : suspendPoints_) {
    if (!graph_.hasRegion(suspendPoint->before)) continue;  // never reached
    placeOperands(*suspendPoint);
    createResult(*suspendPoint);
  }
  takeHeadPhis();
  takeCutConditions();
  rewriteUses();
  storeDefinitions();
  if (unit_.kind == UnitKind::kBlock && !threadsDiverge_) rotateSlots();
  dropCallsAndPhis();
}

// --- What is known about a value -----------------------------------------------------

Region* RegionValues::definingRegion(const Value& value) const {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || !graph_.hasRegion(instruction->getParent())) return nullptr;
  return &graph_.regionOf(instruction->getParent());
}

bool RegionValues::isSlotDefined(const Instruction& instruction) const {
  return slotDefined_.contains(&instruction);
}

// One scalar will do for all threads, also while some of them are elsewhere.
bool RegionValues::mayBeScalar(const Instruction& instruction) const {
  return graph_.uniformity().isUniform(instruction) &&
         graph_.uniformity().isConverged(*instruction.getParent()) && !isUsedAfterDivergence(instruction);
}

// By then, threads that went on may have overwritten the scalar.
bool RegionValues::isUsedAfterDivergence(const Instruction& instruction) const {
  return threadsDiverge_ && llvm::any_of(instruction.users(), [&](const llvm::User* user) {
           const Region* region = definingRegion(*user);
           return region != nullptr && region->ending && !region->converged &&
                  region != definingRegion(instruction);
         });
}

bool RegionValues::isRecomputable(const Value& value, const Region& region) const {
  unsigned cost = 0;
  return isRecomputable(value, &region, kRecomputeDepth, cost);
}

bool RegionValues::isRecomputable(const Value& value, const Region* region, unsigned depth,
                                  unsigned& cost) const {
  if (definingRegion(value) == nullptr) return true;
  const auto& instruction = llvm::cast<Instruction>(value);
  if (calledThreadIdx(instruction) != nullptr) return true;
  const bool divergedForGood = threadsDiverge_ && region->ending && !region->converged;
  if (mayBeScalar(instruction) && !divergedForGood) return true;
  if (isSlotDefined(instruction) || !isCheap(instruction)) return false;
  if (depth == 0 || ++cost > kRecomputeCost) return false;
  return llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
    return isRecomputable(*operand, region, depth - 1, cost);
  });
}

// --- Before values are moved -----------------------------------------------------------

bool RegionValues::isSharedByRegions(llvm::AllocaInst& alloca, llvm::SmallPtrSetImpl<Region*>& users) const {
  llvm::SmallVector<Value*, 8> work{&alloca};
  llvm::SmallPtrSet<Value*, 16> seen;
  bool begins = false;
  while (!work.empty()) {
    Value* value = work.pop_back_val();
    for (llvm::User* user : value->users()) {
      auto* instruction = llvm::cast<Instruction>(user);
      if (!graph_.hasRegion(instruction->getParent())) {
        if (seen.insert(instruction).second) work.push_back(instruction);  // hoisted address
        continue;
      }
      users.insert(&graph_.regionOf(instruction->getParent()));
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction)) {
        begins |= intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
        continue;
      }
      const bool derives =
          instruction->getType()->isPointerTy() || llvm::isa<llvm::PtrToIntInst>(instruction);
      if (derives && seen.insert(instruction).second) work.push_back(instruction);
    }
  }
  if (users.size() > 1) return true;
  return users.size() == 1 && (*users.begin())->inCycle && !begins;
}

// Private memory that several regions use is expanded to an array of an element per thread.
void RegionValues::expandAllocas() {
  llvm::SmallVector<llvm::AllocaInst*, 8> allocas;
  for (Instruction& instruction : unit_.entry()) {
    if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) allocas.push_back(alloca);
  }
  for (llvm::AllocaInst* alloca : allocas) {
    llvm::SmallPtrSet<Region*, 4> users;
    if (!isSharedByRegions(*alloca, users)) continue;
    // Addresses that were hoisted to the entry are computed where they are used.
    for (llvm::User* user : llvm::make_early_inc_range(alloca->users())) {
      auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd()) intrinsic->eraseFromParent();
    }
    slotFor_[alloca] = &slots_.createPrivate(*alloca);
    privateMemory_.insert(alloca);
  }
}

void RegionValues::planSlots() {
  SlotCoalescing sharing(graph_, slotDefined_);
  for (BasicBlock& block : *unit_.function) {
    if (!graph_.hasRegion(&block)) continue;
    for (Instruction& instruction : block) {
      if (instruction.getType()->isVoidTy()) continue;
      const bool candidate = isSlotDefined(instruction)
                                 ? !(llvm::isa<llvm::PHINode>(instruction) && mayBeScalar(instruction))
                                 : !isRecomputable(instruction, graph_.regionOf(&block));
      if (candidate) sharing.add(instruction);
    }
  }
  leaderOf_ = sharing.compute();
  for (const auto& [value, leader] : leaderOf_) ++sharers_[leader];
}

// --- Slots --------------------------------------------------------------------------------

Slot& RegionValues::slotOf(Instruction& instruction) {
  const Instruction* leader =
      leaderOf_.contains(&instruction) ? leaderOf_.lookup(&instruction) : &instruction;
  Slot*& own = slotFor_[&instruction];
  if (own != nullptr) return *own;
  Slot* shared = slotFor_.lookup(leader);
  if (shared == nullptr) {
    shared = &slots_.create(instruction.getType(), mayBeScalar(instruction));
    shared->definedOnce = sharers_.lookup(leader) <= 1 && !isSlotDefined(instruction);
  }
  slotFor_[leader] = shared;
  slotFor_[&instruction] = shared;
  if (!isSlotDefined(instruction)) toStore_.push_back(&instruction);
  return *shared;
}

RegionValues::Value* RegionValues::recompute(Instruction& instruction, Region& region) {
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : instruction.operands()) {
    operands.push_back(llvm::isa<llvm::Function>(operand) ? operand : valueIn(operand, region));
  }
  Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  copy->insertBefore(prologueEnd(code_[region.index].threadPrologue));
  return copy;
}

RegionValues::Value* RegionValues::valueIn(Value* value, Region& region) {
  if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(value);
      alloca != nullptr && privateMemory_.contains(alloca)) {
    Value*& address = known_[{value, &region}];
    if (address == nullptr) {
      IRBuilder<> builder(prologueEnd(code_[region.index].threadPrologue));
      address = slots_.threadAddress(builder, *slotFor_.lookup(alloca));
    }
    return address;
  }
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr) return value;
  Region* home = definingRegion(*value);
  if (home == nullptr)
    return derivesFromPrivateMemory(*instruction) ? recomputeKnown(*instruction, region) : value;
  if (home == &region && !isSlotDefined(*instruction)) return value;
  if (Value* known = known_.lookup({value, &region})) return known;
  Value* result = nullptr;
  if (!mayBeScalar(*instruction) && !isSlotDefined(*instruction) && isRecomputable(*value, region)) {
    result = recompute(*instruction, region);
  } else {
    Slot& slot = slotOf(*instruction);
    BasicBlock* scalar = code_[region.index].scalarPrologue;
    IRBuilder<> builder(scalar);
    if (!slot.scalar) builder.SetInsertPoint(prologueEnd(code_[region.index].threadPrologue));
    if (slotDefined_.contains(instruction) && slot.type != value->getType() &&
        !value->getType()->isIntegerTy(1)) {
      result =
          builder.CreateZExt(slots_.load(builder, slot, slot.type), value->getType());  // narrowed shuffle
    } else {
      result = slots_.load(builder, slot, value->getType());
    }
  }
  known_[{value, &region}] = result;
  return result;
}

RegionValues::Value* RegionValues::recomputeKnown(Instruction& instruction, Region& region) {
  if (Value* known = known_.lookup({&instruction, &region})) return known;
  Value* copy = recompute(instruction, region);
  known_[{&instruction, &region}] = copy;
  return copy;
}

// True for what was hoisted to the entry but is an address in private memory of a thread.
bool RegionValues::derivesFromPrivateMemory(const Instruction& instruction) const {
  if (privateMemory_.empty() || llvm::isa<llvm::AllocaInst>(instruction)) return false;
  return llvm::any_of(instruction.operands(), [this](const llvm::Use& operand) {
    const auto* definition = llvm::dyn_cast<Instruction>(operand.get());
    if (definition == nullptr || definition->getParent() != &unit_.entry()) return false;
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(definition);
    return alloca != nullptr ? privateMemory_.contains(alloca) : derivesFromPrivateMemory(*definition);
  });
}

// --- Rewriting ------------------------------------------------------------------------------

void RegionValues::takeHeadPhis() {
  for (llvm::PHINode* phi : headPhis_) {
    Slot& slot = slotOf(*phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      BasicBlock* from = phi->getIncomingBlock(i);
      Value* incoming = phi->getIncomingValue(i);
      if (!graph_.hasRegion(from)) continue;
      const Region& to = graph_.regionOf(phi->getParent());
      if (llvm::isa<llvm::UndefValue>(incoming)) {
        moved_.insert(between(slot, graph_.regionOf(from), to));
        continue;
      }
      // The value is already in the slot that both share.
      auto* instruction = llvm::dyn_cast<Instruction>(incoming);
      if (instruction != nullptr && leaderOf_.contains(instruction) &&
          definingRegion(*instruction) != nullptr && leaderOf_.lookup(instruction) == leaderOf_.lookup(phi)) {
        slotOf(*instruction);
        kept_.insert(between(slot, graph_.regionOf(from), to));
        continue;
      }
      moves_.push_back({from, &to, valueIn(incoming, graph_.regionOf(from)), &slot, instruction});
      moved_.insert(between(slot, graph_.regionOf(from), to));
    }
  }
}

void RegionValues::moveAlongEdge(IRBuilder<>& builder, BasicBlock* block, const Region& target) {
  for (const EdgeMove& move : moves_) {
    if (move.from == block && move.to == &target) slots_.store(builder, move.value, *move.slot);
  }
}

RegionValues::Between RegionValues::between(const Slot& slot, const Region& from, const Region& to) {
  return {&slot, {&from, &to}};
}

bool RegionValues::isMovedBetween(const Slot& slot, const Region& from, const Region& to) const {
  const Between key = between(slot, from, to);
  return moved_.contains(key) && !kept_.contains(key);
}

void RegionValues::takeCutConditions() {
  for (const auto& region : graph_.regions()) {
    if (region->exit != RegionExit::kUniform) continue;
    Instruction* terminator = region->cut->getTerminator();
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator);
    Value* condition =
        branch != nullptr ? branch->getCondition() : llvm::cast<llvm::SwitchInst>(terminator)->getCondition();
    if (definingRegion(*condition) == nullptr) continue;  // computed before the loop over threads
    Slot& slot = slots_.create(condition->getType(), /*scalar=*/true);
    IRBuilder<> builder(terminator);
    slots_.store(builder, valueIn(condition, *region), slot);
    cutConditions_[region->index] = &slot;
  }
}

// All uses are found before any is changed: rematerialized values are cloned from the original.
void RegionValues::rewriteUses() {
  llvm::SmallVector<std::pair<llvm::Use*, Value*>, 64> changes;
  for (const auto& region : graph_.regions()) {
    for (BasicBlock* block : region->blocks) {
      for (Instruction& instruction : *block) {
        if (isSlotDefined(instruction)) continue;
        for (llvm::Use& use : instruction.operands()) {
          if (llvm::isa<Instruction>(use.get())) changes.emplace_back(&use, valueIn(use.get(), *region));
        }
      }
    }
  }
  for (const auto& [use, value] : changes) use->set(value);
}

void RegionValues::storeDefinitions() {
  for (Instruction* instruction : toStore_) {
    IRBuilder<> builder(&*instruction->getInsertionPointAfterDef().value());
    slots_.store(builder, instruction, *slotFor_.lookup(instruction));
  }
}

void RegionValues::rotateSlots() {
  SlotRotation::Homes home;
  for (const auto& region : graph_.regions()) {
    home[code_[region->index].threadPrologue] = region.get();
    for (BasicBlock* block : region->blocks) home[block] = region.get();
  }
  llvm::DenseSet<const Slot*> pinned;  // the operations' own code knows where these are
  for (const auto& [suspendPoint, code] : suspendPointCode_) {
    pinned.insert(code.result);
    for (const OperandPlace* place : {&code.mask, &code.value, &code.argument, &code.width})
      pinned.insert(place->slot);
  }
  rotation_.emplace(unit_, graph_, std::move(home), slotFor_, std::move(pinned));
  rotation_->plan(moves_);
}

void RegionValues::dropCallsAndPhis() {
  for (const auto& suspendPoint : suspendPoints_) {
    suspendPoint->call->replaceAllUsesWith(llvm::PoisonValue::get(suspendPoint->call->getType()));
    suspendPoint->call->eraseFromParent();
    suspendPoint->call = nullptr;
  }
  for (llvm::PHINode* phi : headPhis_) {
    phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    phi->eraseFromParent();
  }
}

}  // namespace musashim::mcc
