#include "profiled_kernel.h"

#include <map>
#include <string>
#include <vector>

#include "abi/musa_metrics_abi.h"
#include "block_kinds.h"
#include "instruction_class.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/checks/check_options.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/source_facts/source_locations.h"
#include "thread_slots.h"
#include "visit_numbers.h"
#include "wide_accesses.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::GlobalVariable;
using llvm::IRBuilder;
using llvm::Value;

// Inlines what can be, so that one table tells of the whole kernel. What is left (recursion, calls through
// pointers) counts as a call.
void inlineAll(Function& kernel) {
  constexpr unsigned kMostCalls = 2000;
  for (unsigned count = 0; count < kMostCalls; ++count) {
    llvm::CallBase* next = nullptr;
    for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->isDeclaration() || callee->isIntrinsic()) continue;
      if (callee->hasFnAttribute(kKernelAttribute)) continue;
      const bool recursive = llvm::any_of(llvm::instructions(*callee), [&](const llvm::Instruction& inner) {
        const auto* again = llvm::dyn_cast<llvm::CallBase>(&inner);
        return again != nullptr && again->getCalledFunction() == callee;
      });
      if (!recursive) next = call;
      if (next != nullptr) break;
    }
    llvm::InlineFunctionInfo info;
    if (next == nullptr || !llvm::InlineFunction(*next, info).isSuccess()) return;
  }
}

// Fills the tables of one kernel.
class KernelTables {
 public:
  explicit KernelTables(Function& kernel)
      : kernel_(kernel), module_(*kernel.getParent()), context_(kernel.getContext()) {}

  uint32_t line(const llvm::Instruction& instruction) {
    const std::pair<std::string, unsigned> place = placeOf(instruction);
    const auto [at, isNew] = lineNumbers_.try_emplace(place, static_cast<uint32_t>(lines_.size()));
    if (isNew) {
      lines_.push_back(llvm::ConstantStruct::getAnon({text(place.first), i32(place.second), i32(0)}));
    }
    return at->second;
  }

  // Returns the new row's number.
  unsigned addStep(const std::map<std::pair<uint32_t, unsigned>, unsigned>& counts) {
    std::vector<Constant*> rows;
    for (const auto& [what, count] : counts)
      rows.push_back(llvm::ConstantStruct::getAnon({i32(what.first), i16(what.second), i16(count)}));
    steps_.push_back(llvm::ConstantStruct::getAnon({array(rows, true), i64(rows.size()), i64(0), i64(0)}));
    return static_cast<unsigned>(steps_.size() - 1);
  }

  unsigned addAccess(uint32_t line, uint64_t bytes, unsigned kind, unsigned space) {
    llvm::Type* words = llvm::ArrayType::get(i64(0)->getType(), sizeof(MusaMetricsTraffic) / 8 * 2);
    Constant* unused = llvm::ConstantAggregateZero::get(
        llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), sizeof(MusaMetricsAccess::reserved)));
    accesses_.push_back(llvm::ConstantStruct::getAnon(
        {i32(line), i32(bytes), i8(kind), i8(space), unused, llvm::ConstantAggregateZero::get(words)}));
    return static_cast<unsigned>(accesses_.size() - 1);
  }

  // Of a step's or an access' slots: one that tells in how many rounds, or one for each of some rounds.
  // Returns the first one's number.
  unsigned addSlots(unsigned group, bool isAccess, unsigned row, unsigned rounds) {
    GlobalVariable* rows = isAccess ? accessesStandIn() : stepsStandIn();
    const uint64_t bytes = isAccess ? sizeof(MusaMetricsAccess) : sizeof(MusaMetricsStep);
    Constant* place =
        llvm::ConstantExpr::getInBoundsGetElementPtr(llvm::Type::getInt8Ty(context_), rows, i64(row * bytes));
    if (groups_.size() <= group) groups_.resize(group + 1);
    groups_[group].push_back(
        llvm::ConstantStruct::getAnon({place, i32(isAccess), i32(slots_), i32(rounds), i32(block_)}));
    const unsigned first = slots_;
    slots_ += std::max(1u, rounds);
    return first;
  }
  unsigned slots() const { return slots_; }
  void startBlock() { ++block_; }

  // The tables come after the code that names their rows.
  GlobalVariable* stepsStandIn() { return standIn(stepsAt_); }
  GlobalVariable* accessesStandIn() { return standIn(accessesAt_); }

  GlobalVariable* finish(llvm::StringRef name, llvm::ArrayRef<SlotGroup> groups) {
    std::vector<Constant*> slots;
    groups_.resize(groups.size());
    for (size_t i = 0; i < groups.size(); ++i) {
      const unsigned kind = groups[i].loop == nullptr ? MUSA_SLOTS_ONCE
                            : groups[i].together      ? MUSA_SLOTS_IN_TURN
                                                      : MUSA_SLOTS_OF_FIRST_ROUNDS;
      slots.push_back(llvm::ConstantStruct::getAnon(
          {array(groups_[i], true), i32(groups_[i].size()), i32(kind), i32(groups[i].rounds), i32(0)}));
    }
    Constant* slotGroups = array(slots, true);
    Constant* steps = settle(stepsAt_, array(steps_, false));
    Constant* accesses = settle(accessesAt_, array(accesses_, false));
    auto* table = llvm::ConstantStruct::getAnon(
        {text(name.str()), array(lines_, true), steps, accesses, i64(lines_.size()), i64(steps_.size()),
         i64(accesses_.size()), i64(0), i64(0), i64(0), slotGroups, i64(slots.size()), i64(slots_), i64(0)});
    return variable(table, false);
  }

 private:
  // The place that the user wrote: of what is inlined from the SDK's headers, its caller's.
  std::pair<std::string, unsigned> placeOf(const llvm::Instruction& instruction) const {
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (location != nullptr) location = &callerOf(*location, checkSdkFolder());
    if (location != nullptr && location->getLine() != 0) return {pathOf(*location), location->getLine()};
    const llvm::DISubprogram* own = kernel_.getSubprogram();
    if (own == nullptr) return {module_.getSourceFileName(), 0};
    llvm::SmallString<256> path(own->getDirectory());
    llvm::sys::path::append(path, own->getFilename());
    return {llvm::sys::path::is_absolute(own->getFilename()) ? own->getFilename().str() : path.str().str(),
            own->getLine()};
  }

  Constant* number(unsigned bits, uint64_t value) {
    return llvm::ConstantInt::get(llvm::IntegerType::get(context_, bits), value);
  }
  Constant* i8(uint64_t value) { return number(8, value); }
  Constant* i16(uint64_t value) { return number(16, std::min<uint64_t>(value, UINT16_MAX)); }
  Constant* i32(uint64_t value) { return number(32, value); }
  Constant* i64(uint64_t value) { return number(64, value); }

  GlobalVariable* variable(Constant* value, bool isConstant) {
    return new GlobalVariable(module_, value->getType(), isConstant, GlobalVariable::PrivateLinkage, value,
                              "musa.metrics");
  }
  Constant* text(const std::string& value) {
    Constant*& known = texts_[value];
    if (known == nullptr) known = variable(llvm::ConstantDataArray::getString(context_, value), true);
    return known;
  }
  Constant* array(const std::vector<Constant*>& rows, bool isConstant) {
    if (rows.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context_));
    auto* type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
    return variable(llvm::ConstantArray::get(type, rows), isConstant);
  }

  GlobalVariable* standIn(GlobalVariable*& at) {
    if (at == nullptr) {
      at = new GlobalVariable(module_, llvm::Type::getInt8Ty(context_), false,
                              GlobalVariable::ExternalLinkage, nullptr, "musa.metrics.rows");
    }
    return at;
  }
  static Constant* settle(GlobalVariable* standIn, Constant* rows) {
    if (standIn == nullptr) return rows;
    standIn->replaceAllUsesWith(rows);
    standIn->eraseFromParent();
    return rows;
  }

  Function& kernel_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  std::map<std::pair<std::string, unsigned>, uint32_t> lineNumbers_;
  std::map<std::string, Constant*> texts_;
  std::vector<Constant*> lines_, steps_, accesses_;
  std::vector<std::vector<Constant*>> groups_;
  unsigned slots_ = 0, block_ = 0;
  GlobalVariable* stepsAt_ = nullptr;
  GlobalVariable* accessesAt_ = nullptr;
};

// Adds the calls that count.
class Counting {
 public:
  Counting(Function& kernel, llvm::LoopInfo& loops)
      : kernel_(kernel), tables_(kernel), visits_(kernel, loops), slots_(kernel, loops, visits_) {}

  GlobalVariable* run(llvm::StringRef name) {
    llvm::SmallVector<llvm::BasicBlock*, 32> blocks;
    for (llvm::BasicBlock& block : kernel_) blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks) count(*block);
    slots_.readOnTheWay(groupsWithRings_);
    return tables_.finish(name, slots_.groups());
  }

 private:
  void count(llvm::BasicBlock& block) {
    const WideAccesses wide(block);
    std::map<std::pair<uint32_t, unsigned>, unsigned> counts;
    llvm::SmallVector<llvm::Instruction*, 32> work;
    for (llvm::Instruction& instruction : block) {
      if (wide.isPartOfAnother(instruction) || instruction.hasMetadata(kVisitMetadata)) continue;
      if (const std::optional<unsigned> kind = instructionClass(instruction))
        ++counts[{tables_.line(instruction), *kind}];
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                    llvm::MemIntrinsic>(instruction))
        work.push_back(&instruction);
    }
    if (counts.empty()) return;
    block_ = &block;
    tables_.startBlock();
    for (llvm::Instruction* instruction : work) access(*instruction, wide);
    countStep(tables_.addStep(counts));
  }

  bool mayHaveSlots() const { return slots_.groups()[slots_.groupOf(*block_)].usable; }

  // Slots for each round that has some; the others are calls.
  void leave(llvm::Instruction& before, unsigned row, Value* address) {
    const unsigned group = slots_.groupOf(*block_);
    const bool isAccess = address != nullptr;
    llvm::Instruction* others = &before;
    constexpr unsigned kMostSlots = 4096;
    if (mayHaveSlots() && tables_.slots() < kMostSlots) {
      IRBuilder<> builder(&before);
      Value* value = isAccess ? builder.CreatePtrToInt(address, builder.getInt64Ty()) : builder.getInt64(1);
      groupsWithRings_.insert(group);
      others = slots_.storeInRound(before, *block_, value,
                                   tables_.addSlots(group, isAccess, row, slots_.groups()[group].rounds));
      if (others == nullptr) return;
    }
    IRBuilder<> builder(others);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    if (isAccess)
      call(builder, "__musa_metrics_access",
           {rowAt(builder, *tables_.accessesStandIn(), row, sizeof(MusaMetricsAccess)), address});
    else
      call(builder, "__musa_metrics_step",
           {rowAt(builder, *tables_.stepsStandIn(), row, sizeof(MusaMetricsStep))});
  }

  // Of a loop's header there always is a number of rounds: it says which slots of the loop are in use.
  void countStep(unsigned step) {
    llvm::BasicBlock::iterator first = block_->getFirstInsertionPt();
    while (first->hasMetadata(kVisitMetadata) || llvm::isa<llvm::AllocaInst>(*first)) ++first;
    if (!mayHaveSlots() || !slots_.isInEachRound(*block_)) return leave(*first, step, nullptr);
    IRBuilder<> builder(block_, first);
    slots_.storeRounds(builder, *block_, tables_.addSlots(slots_.groupOf(*block_), false, step, 0));
  }

  // Copies and fills of a few words are loads and stores of 16 bytes at most. Longer ones are loops on a GPU,
  // which are not counted here.
  void move(llvm::MemIntrinsic& instruction) {
    constexpr uint64_t kWidest = 16, kMost = 256;
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
    if (length == nullptr || length->getZExtValue() > kMost) return;
    const auto side = [&](Value& address, uint64_t align, unsigned kind) {
      const uint64_t width = std::min(align, kWidest);
      for (uint64_t at = 0; at < length->getZExtValue(); at += width)
        access(instruction, address, std::min(width, length->getZExtValue() - at), kind, at);
    };
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      side(*copy->getRawSource(), copy->getSourceAlign().valueOrOne().value(), MUSA_ACCESS_READ);
    side(*instruction.getRawDest(), instruction.getDestAlign().valueOrOne().value(), MUSA_ACCESS_WRITE);
  }

  void access(llvm::Instruction& instruction, const WideAccesses& wide) {
    if (auto* whole = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return move(*whole);
    const Value* address = llvm::getLoadStorePointerOperand(&instruction);
    unsigned kind = llvm::isa<llvm::LoadInst>(instruction) ? MUSA_ACCESS_READ : MUSA_ACCESS_WRITE;
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    if (address == nullptr) {
      kind = MUSA_ACCESS_ATOMIC;
      address = instruction.getOperand(0);
      type = instruction.getType();
      if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        type = exchange->getCompareOperand()->getType();
    }
    uint64_t bytes = kernel_.getDataLayout().getTypeStoreSize(type).getFixedValue();
    bytes = std::max(bytes, wide.bytes(instruction));
    access(instruction, *const_cast<Value*>(address), bytes, kind, 0);
  }

  void access(llvm::Instruction& at, Value& address, uint64_t bytes, unsigned kind, uint64_t offset) {
    const unsigned number = tables_.addAccess(tables_.line(at), bytes, kind, memorySpaceOf(address));
    IRBuilder<> builder(&at);
    builder.SetCurrentDebugLocation(at.getDebugLoc());
    leave(at, number, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &address, offset));
  }

  static Value* rowAt(IRBuilder<>& builder, GlobalVariable& rows, unsigned number, uint64_t bytes) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &rows, number * bytes);
  }

  void call(IRBuilder<>& builder, llvm::StringRef name, llvm::SmallVector<Value*, 4> arguments) {
    arguments.push_back(visits_.of(*block_));
    arguments.push_back(slots_.thread());
    llvm::SmallVector<llvm::Type*, 4> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    auto callee = kernel_.getParent()->getOrInsertFunction(
        name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    llvm::cast<Function>(callee.getCallee())->setDoesNotThrow();
    builder.CreateCall(callee, arguments);
  }

  Function& kernel_;
  KernelTables tables_;
  VisitNumbers visits_;
  ThreadSlots slots_;
  llvm::DenseSet<unsigned> groupsWithRings_;
  llvm::BasicBlock* block_ = nullptr;  // that is counted
};

}  // namespace

ProfiledKernel profileKernel(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  llvm::ValueToValueMapTy values;
  Function* copy = llvm::CloneFunction(&kernel, values);
  copy->setName(kernel.getName() + ".musa_profiled");
  copy->setComdat(nullptr);
  copy->setVisibility(GlobalVariable::DefaultVisibility);
  copy->setLinkage(GlobalVariable::InternalLinkage);
  // It does more than the kernel: what was found out of that no longer holds.
  copy->setMemoryEffects(llvm::MemoryEffects::unknown());
  for (const auto attribute : {llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::WillReturn})
    copy->removeFnAttr(attribute);
  for (llvm::Argument& argument : copy->args()) argument.removeAttr(llvm::Attribute::NoCapture);
  inlineAll(*copy);
  Constant* kinds = createBlockKinds(kernel, *copy, analyses);
  llvm::DominatorTree dominators(*copy);
  llvm::LoopInfo loops(dominators);
  GlobalVariable* counters = Counting(*copy, loops).run(kernel.getName());
  analyses.invalidate(*copy, llvm::PreservedAnalyses::none());
  return {copy, counters, kinds};
}

Function* createProfiledEntry(Function& kernel, Function* plain, Function* counting,
                              const ProfiledKernel& profile) {
  Function* entry = createEntry(kernel, ".musa_choice", llvm::Type::getVoidTy(kernel.getContext()));
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *entry);
  llvm::Type* ptr = builder.getPtrTy();
  const auto run = kernel.getParent()->getOrInsertFunction(
      "__musa_run_profiled", llvm::FunctionType::get(builder.getVoidTy(), {ptr, ptr, ptr, ptr, ptr}, false));
  builder.CreateCall(run, {entry->getArg(0), plain, counting, profile.counters, profile.kinds});
  builder.CreateRetVoid();
  return entry;
}

void registerProfiles(llvm::Module& module, llvm::ArrayRef<GlobalVariable*> counters) {
  if (counters.empty()) return;
  llvm::LLVMContext& context = module.getContext();
  const std::vector<Constant*> rows(counters.begin(), counters.end());
  auto* type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
  auto* table = new GlobalVariable(module, type, true, GlobalVariable::PrivateLinkage,
                                   llvm::ConstantArray::get(type, rows), "musa.metrics.kernels");
  const auto announce = [&](llvm::StringRef name, llvm::StringRef runtime) {
    Function* function = Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
    IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
    const auto callee = module.getOrInsertFunction(
        runtime,
        llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), builder.getInt64Ty()}, false));
    builder.CreateCall(callee, {table, builder.getInt64(rows.size())});
    builder.CreateRetVoid();
    return function;
  };
  llvm::appendToGlobalCtors(module, announce("musa.metrics.begin", "__musa_metrics_register"), 65535);
  llvm::appendToGlobalDtors(module, announce("musa.metrics.end", "__musa_metrics_unregister"), 65535);
}

}  // namespace musashim::mcc
