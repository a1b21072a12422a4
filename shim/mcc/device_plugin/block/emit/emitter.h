// Turns self-contained regions into loops over threads, and ties them together.
#pragma once

#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/block/values/region_values.h"
#include "mcc/device_plugin/block/values/slot_liveness.h"
#include "mcc/device_plugin/block/values/spill_slots.h"

namespace musashim::mcc {

// Of a module with so many kernels that compile time comes before the speed of what seldom runs.
inline constexpr llvm::StringRef kManyKernelsMetadata = "musa.many.kernels";

class UnitEmitter {
 public:
  UnitEmitter(UnitFunction& unit, RegionGraph& graph, SlotTable& slots, RegionValues& values,
              bool publishThread);

  void run();
  // Runs threads that have parted; null when they never do.
  llvm::Function* divergedFunction() const { return partedFunction_; }

 private:
  using BasicBlock = llvm::BasicBlock;
  using Value = llvm::Value;
  using Builder = llvm::IRBuilder<>;
  // Where threads leave a region. The block has no terminator yet.
  struct Stub {
    BasicBlock* block;
    const Region* target;  // null: the thread ends
    bool cut;              // the cut's terminator decides
  };
  // A region's blocks once more, for the threads that are there.
  struct Copy {
    BasicBlock* scalarPrologue;
    BasicBlock* lanePrologue;
    llvm::SmallVector<BasicBlock*, 16> blocks;
    llvm::SmallVector<Stub, 4> stubs;
  };
  // Which way threads go at a fork.
  struct Decisions {
    const Slot* slot;
    bool areSame;  // whatever they are
  };

  void makeStubs(const Region& region);
  void addStub(const Region& region, llvm::Instruction& terminator, unsigned successor, const Region* target);
  Copy original(const Region& region) const;
  Copy duplicate(const Region& region);
  // Once more for other threads of the same pass: the scalar prologue is shared.
  Copy copyLanes(const Copy& from, llvm::ValueToValueMapTy& map);

  void widenIndices();
  void emitAll(const Region& region, Copy copy);
  void emitPresent(const Region& region, Copy copy);
  BasicBlock* emitLoops(const Region& region, Copy& copy, bool presentOnly, bool keepPlaces);
  void emitLoop(const Region& region, Copy& copy, const ThreadRange& range, bool presentOnly, bool keepPlaces,
                Builder& builder);
  // Where threads go different ways by their index, a loop for each way; lane_split.cpp.
  void emitSplitLoops(const Region& region, Copy& copy, const ThreadRange& range, bool keepPlaces,
                      unsigned budget, Builder& builder);
  llvm::BranchInst* splittingBranch(const Copy& copy) const;
  bool isKnownBefore(const Copy& copy, const Value& value) const;
  bool hoistBeforeLoops(const Copy& copy, Value& value, unsigned depth) const;
  llvm::BranchInst* laneGuard(const Region& region, const Copy& copy) const;
  void lowerThread(Copy& copy, const ThreadLoops& loops);
  void publishBeforeFaults(BasicBlock& block, const ThreadLoops& loops);
  bool isScalarOnly(const Copy& copy) const;
  void emitScalarOnly(Copy& copy, BasicBlock* after);
  void markIndependent(Copy& copy);

  // Code between regions, for a unit whose threads go together.
  BasicBlock* wayTo(const Region* target);  // completes the target's operation first
  void emitOperation(const Region& target, BasicBlock* block);
  void emitBarrier(const Region& target, Builder& builder);
  void emitBarrierReduction(const Region& target, Builder& builder);
  void emitWarpOp(const Region& target, Builder& builder);
  void emitShuffle(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  Value* shuffleSource(const SuspendPoint& suspendPoint, Builder& builder, Value* lane, Value* argument,
                       Value* width);
  void emitVote(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  void emitMatch(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder);
  void fillResult(const SuspendPointCode& code, Builder& builder, Value* value);
  Value* operandOf(const OperandPlace& place, Builder& builder, Value* lane);
  Value* operandsOf(const OperandPlace& place, unsigned group, Builder& builder);
  void emitResume();
  BasicBlock* startInOrder(BasicBlock& start);
  void emitDone();

  // Where threads part; parted.cpp.
  void findLiveness();
  void spill(Builder& builder, const SlotSet& slots);
  void reload(Builder& builder, const SlotSet& slots);
  void part(Builder& builder, const SlotSet& needed);  // goes on in the function for parted threads
  void emitGather(const Region& region, Builder& builder);
  Decisions keepDecisions(const Region& region, const Copy& copy);
  void emitFork(const Region& region, const Decisions& decisions, Builder& builder);
  std::pair<Value*, Value*> agreement(const Slot& decisions, Builder& builder);
  bool mayReconvergeAt(const Region& region) const;
  void emitDispatch();
  void emitExit(llvm::SwitchInst& next, int32_t code);
  void emitDiverged();
  void takeOutDiverged();
  void keepSlotsInMemory(llvm::ValueToValueMapTy& map);
  void emitCut(const Region& region, Builder& builder, llvm::function_ref<BasicBlock*(const Region*)> way);

  void setLocation(Builder& builder) const;
  Value* placeAddress(Builder& builder, Value* lane);
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
  const bool parts_;
  bool escapes_ = false;  // private memory that unknown pointers may point to
  llvm::LLVMContext& context_;
  llvm::MDNode* group_ = nullptr;
  std::vector<llvm::SmallVector<Stub, 4>> stubs_;
  llvm::SmallVector<llvm::Instruction*, 4> cutTerminators_;
  std::vector<BasicBlock*> ways_;     // per region
  std::vector<BasicBlock*> present_;  // per region: its code for the threads that are there
  BasicBlock* done_ = nullptr;
  Value* inOrder_ = nullptr;  // whether indices may be computed in 64 bits; null: certainly
  std::optional<SlotLiveness> liveness_;
  llvm::Function* partedFunction_ = nullptr;
  BasicBlock* parted_ = nullptr;    // calls it
  BasicBlock* dispatch_ = nullptr;  // in it: asks the runtime which region is next
  llvm::SmallVector<std::pair<BasicBlock*, int32_t>, 8> exits_;  // of it, with what it returns
};

}  // namespace musashim::mcc
