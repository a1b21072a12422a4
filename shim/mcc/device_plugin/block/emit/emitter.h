// Turns self-contained regions into loops over threads, and emits the code between them.
//
// The *place* of a thread is its program counter: the region that it enters next (MusaUnit::pc). A unit is
// converged while all of its threads have the same place; then places are not stored. A *stub* is a block by
// which threads leave a region.
#pragma once

#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/block/values/region_values.h"
#include "mcc/device_plugin/block/values/slot_liveness.h"
#include "mcc/device_plugin/block/values/spill_slots.h"

namespace musashim::mcc {

// In modules with so many kernels that compile time matters more than the speed of cold code.
inline constexpr llvm::StringRef kManyKernelsMetadata = "musa.many.kernels";

class UnitEmitter {
 public:
  UnitEmitter(UnitFunction& unit, RegionGraph& graph, SlotTable& slots, RegionValues& values,
              bool publishThread);

  void run();
  // Runs diverged threads; null when threads never diverge.
  llvm::Function* divergedFunction() const { return divergedFunction_; }

 private:
  using BasicBlock = llvm::BasicBlock;
  using Value = llvm::Value;
  using Builder = llvm::IRBuilder<>;
  // A block by which threads leave a region. It has no terminator yet.
  struct Stub {
    BasicBlock* block;
    const Region* target;  // null: the thread ends
    bool cut;              // the cut's terminator decides
  };
  // A copy of a region's blocks.
  struct Copy {
    BasicBlock* scalarPrologue;
    BasicBlock* threadPrologue;
    llvm::SmallVector<BasicBlock*, 16> blocks;
    llvm::SmallVector<Stub, 4> stubs;
  };
  // Each thread's condition at a divergent branch.
  struct Decisions {
    const Slot* slot;
    bool areUniform;  // for all threads of the unit
  };

  void makeStubs(const Region& region);
  void addStub(const Region& region, llvm::Instruction& terminator, unsigned successor, const Region* target);
  Copy original(const Region& region) const;
  Copy duplicate(const Region& region);
  // A copy for other threads of the same loop nest. The scalar prologue is shared.
  Copy copyThreads(const Copy& from, llvm::ValueToValueMapTy& map);

  void widenIndices();
  void emitConverged(const Region& region, Copy copy);
  void emitActive(const Region& region, Copy copy);
  BasicBlock* emitLoops(const Region& region, Copy& copy, bool activeOnly, bool keepPlaces);
  void emitLoop(const Region& region, Copy& copy, const ThreadRange& range, bool activeOnly, bool keepPlaces,
                Builder& builder);
  // Index set splitting: a loop for each part of the threads (index_set_splitting.cpp).
  void emitSplitLoops(const Region& region, Copy& copy, const ThreadRange& range, bool keepPlaces,
                      unsigned budget, Builder& builder);
  llvm::BranchInst* splittingBranch(const Copy& copy) const;
  bool isKnownBefore(const Copy& copy, const Value& value) const;
  bool hoistBeforeLoops(const Copy& copy, Value& value, unsigned depth) const;
  llvm::BranchInst* threadGuard(const Region& region, const Copy& copy) const;
  void lowerThread(Copy& copy, const ThreadLoops& loops);
  void publishBeforeFaults(BasicBlock& block, const ThreadLoops& loops);
  bool isScalarOnly(const Copy& copy) const;
  void emitScalarOnly(Copy& copy, BasicBlock* after);
  void markIndependent(Copy& copy);

  // Code between regions, for converged units.
  BasicBlock* entryOf(const Region* target);  // completes the target's operation first
  void emitOperation(const Region& target, BasicBlock* block);
  void emitBarrier(const Region& target, Builder& builder);
  void emitBarrierReduction(const Region& target, Builder& builder);
  void emitWarpOp(const Region& target, Builder& builder);
  void emitShuffle(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  Value* shuffleSource(const SuspendPoint& suspendPoint, Builder& builder, Value* thread, Value* argument,
                       Value* width);
  void emitVote(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  void emitMatch(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  void fillResult(const SuspendPointCode& code, Builder& builder, Value* value);
  Value* operandOf(const OperandPlace& place, Builder& builder, Value* thread);
  Value* operandsOf(const OperandPlace& place, unsigned group, Builder& builder);
  void emitResume();
  BasicBlock* startUnlessWrapping(BasicBlock& start);
  void emitDone();

  // Divergence (diverged_function.cpp).
  void findLiveness();
  void spill(Builder& builder, const SlotSet& slots);
  void reload(Builder& builder, const SlotSet& slots);
  void diverge(Builder& builder, const SlotSet& needed);  // goes on in the function for diverged threads
  void emitDivergenceCheck(const Region& region, Builder& builder);
  Decisions recordDecisions(const Region& region, const Copy& copy);
  void emitDivergentBranch(const Region& region, const Decisions& decisions, Builder& builder);
  std::pair<Value*, Value*> allOrNone(const Slot& decisions, Builder& builder);
  bool mayReconvergeAt(const Region& region) const;
  void emitDispatch();
  void emitExit(llvm::SwitchInst& next, int32_t code);
  void emitDiverged();
  void outlineDiverged();
  void keepSlotsInMemory(llvm::ValueToValueMapTy& map);
  void emitCut(const Region& region, Builder& builder, llvm::function_ref<BasicBlock*(const Region*)> entry);

  void setLocation(Builder& builder) const;
  Value* placeAddress(Builder& builder, Value* thread);
  Value* threadCount(Builder& builder);
  void setAllPlaces(Builder& builder, uint32_t place);
  static uint32_t placeOf(const Region* target);
  llvm::FunctionCallee runtime(llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters);
  BasicBlock* block(const llvm::Twine& name);

  UnitFunction& unit_;
  RegionGraph& graph_;
  SlotTable& slots_;
  RegionValues& values_;
  const bool publishThread_;
  const bool mayDiverge_;
  bool escapes_ = false;  // private memory may be the target of unknown pointers
  llvm::LLVMContext& context_;
  llvm::MDNode* group_ = nullptr;
  std::vector<llvm::SmallVector<Stub, 4>> stubs_;
  llvm::SmallVector<llvm::Instruction*, 4> cutTerminators_;
  std::vector<BasicBlock*> entries_;  // per region
  std::vector<BasicBlock*> active_;  // per region: its code for diverged units, which runs the active threads
  BasicBlock* done_ = nullptr;
  Value* noWrap_ = nullptr;  // whether no index wraps, so that 64 bits may be used; null: certainly
  std::optional<SlotLiveness> liveness_;
  llvm::Function* divergedFunction_ = nullptr;
  BasicBlock* toDiverged_ = nullptr;  // calls it
  BasicBlock* dispatch_ = nullptr;    // in it: asks the runtime which region is next
  llvm::SmallVector<std::pair<BasicBlock*, int32_t>, 8> exits_;  // of it, with what it returns
};

}  // namespace musashim::mcc
