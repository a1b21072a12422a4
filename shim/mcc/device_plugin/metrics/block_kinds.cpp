#include "block_kinds.h"

#include <array>

#include "block_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/kernel_entry/kernel_params.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;
using Values = llvm::DenseSet<const Value*>;

// Has each getter asked once, at the kernel's start; those of the block's sizes are returned.
std::array<Value*, 3> askAtStart(Function& code) {
  IRBuilder<> builder(&code.getEntryBlock(), code.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::StringMap<Value*> asked;
  const auto calls = builtinCalls(code);
  const auto ask = [&](llvm::StringRef name, llvm::Type* type) {
    Value*& value = asked[name];
    if (value == nullptr) value = builder.CreateCall(code.getParent()->getOrInsertFunction(name, type));
    return value;
  };
  std::array<Value*, 3> blockDim{};
  constexpr std::array<const char*, 3> kNames = {"__musa_block_dim_x", "__musa_block_dim_y",
                                                 "__musa_block_dim_z"};
  for (size_t axis = 0; axis < kNames.size(); ++axis)
    blockDim[axis] = ask(kNames[axis], builder.getInt32Ty());
  for (const auto& [call, builtin] : calls) (void)ask(builtin->name, call->getType());
  for (const auto& [call, builtin] : calls) replaceCall(call, asked[builtin->name]);
  return blockDim;
}

// Which values depend on the block's index, and which on what the kernel reads.
struct Sources {
  Values ofBlock, ofMemory, known;

  Sources(const Function& kernel, Function& code) {
    llvm::SmallVector<const Instruction*, 32> block, memory;
    for (const Instruction& instruction : llvm::instructions(code)) {
      if (const Builtin* getter = findBuiltin(calledName(instruction))) {
        if (getter->value == BlockValue::kBlockIdx) block.push_back(&instruction);
        if (getter->value != BlockValue::kThreadIdx) known.insert(&instruction);
      } else if (isOfArguments(kernel, instruction)) {
        if (instruction.getParent() == &code.getEntryBlock()) known.insert(&instruction);
      } else if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() ||
                 instruction.mayHaveSideEffects()) {
        memory.push_back(&instruction);
      }
    }
    spread(block, ofBlock);
    spread(memory, ofMemory);
  }

  // A member of a structure among the arguments that nothing writes to.
  static bool isOfArguments(const Function& kernel, const Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->isSimple()) return false;
    const auto* argument =
        llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripInBoundsConstantOffsets());
    if (argument == nullptr || !isIndirectParam(*argument)) return false;
    const llvm::Argument& own = *kernel.getArg(argument->getArgNo());
    return own.onlyReadsMemory() && own.hasNoCaptureAttr();
  }

 private:
  static void spread(llvm::SmallVectorImpl<const Instruction*>& work, Values& reached) {
    while (!work.empty()) {
      const Instruction* next = work.pop_back_val();
      if (!reached.insert(next).second) continue;
      for (const llvm::User* user : next->users())
        if (const auto* instruction = llvm::dyn_cast<Instruction>(user)) work.push_back(instruction);
    }
  }
};

// Finds what blocks of a kind have in common.
class KindParts {
 public:
  KindParts(const Sources& sources, BlockParts& block) : sources_(sources), block_(block) {}

  bool find(Function& code) {
    return llvm::all_of(llvm::instructions(code), [&](Instruction& instruction) { return add(instruction); });
  }
  const std::vector<KindPart>& parts() const { return parts_; }

 private:
  bool add(Instruction& instruction) {
    if (instruction.isTerminator()) return addTerminator(instruction);
    if (auto* move = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(move);
      return addAddress(*move->getRawDest()) &&
             (transfer == nullptr || addAddress(*transfer->getRawSource()));
    }
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      return addAddress(*instruction.getOperand(0));
    if (Value* address = llvm::getLoadStorePointerOperand(&instruction)) return addAddress(*address);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    // Threads may end in what is not inlined.
    const Function* callee = call->getCalledFunction();
    return callee != nullptr && callee->isDeclaration() && callee->getName() != kExitThreadName;
  }

  bool addAddress(Value& address) {
    if (sources_.ofMemory.contains(&address)) return false;
    return !sources_.ofBlock.contains(&address) || block_.addAddress(address, parts_);
  }

  bool addTerminator(Instruction& instruction) {
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      Value& value = *choice->getCondition();
      if (sources_.ofMemory.contains(&value)) return false;
      return !sources_.ofBlock.contains(&value) || block_.addWhole(value, parts_);
    }
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      return branch->isUnconditional() || addCondition(*branch->getCondition());
    return llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(instruction);
  }

  bool addCondition(Value& condition) {
    if (sources_.ofMemory.contains(&condition)) return false;
    if (!sources_.ofBlock.contains(&condition) || !seen_.insert(&condition).second) return true;
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition))
      return block_.addComparison(*compare, parts_);
    if (!llvm::isa<llvm::BinaryOperator, llvm::SelectInst, llvm::FreezeInst>(condition)) return false;
    return llvm::all_of(llvm::cast<Instruction>(condition).operands(), [&](llvm::Use& operand) {
      return operand->getType()->isIntegerTy(1) && addCondition(*operand);
    });
  }

  const Sources& sources_;
  BlockParts& block_;
  Values seen_;
  std::vector<KindPart> parts_;
};

// What of an argument matters to which way threads go, and to which pattern their accesses have.
enum class Share { kNone, kPlaceInSector, kWhole };

Share shareOf(const llvm::Argument& argument) {
  bool isData = true, isBase = argument.getType()->isPointerTy();
  llvm::SmallVector<const Value*, 16> work{&argument};
  Values seen;
  while (!work.empty()) {
    const Value* next = work.pop_back_val();
    if (!seen.insert(next).second) continue;
    for (const llvm::Use& use : next->uses()) {
      const auto& user = *llvm::cast<Instruction>(use.getUser());
      const bool isFirst = use.getOperandNo() == 0;
      if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
        if (isFirst) isData = false;
        continue;
      }
      if (llvm::isa<llvm::StoreInst>(user)) {
        if (!isFirst) isData = false;
        continue;
      }
      const bool pure = llvm::isa<llvm::IntrinsicInst>(user) && !user.mayReadOrWriteMemory();
      if (user.isTerminator() || (llvm::isa<llvm::CallBase>(user) && !pure)) return Share::kWhole;
      const bool moves = (llvm::isa<llvm::GetElementPtrInst>(user) && isFirst) ||
                         llvm::isa<llvm::PHINode>(user) || (llvm::isa<llvm::SelectInst>(user) && !isFirst);
      isBase = isBase && moves;
      work.push_back(&user);
    }
  }
  if (isData) return Share::kNone;
  return isBase ? Share::kPlaceInSector : Share::kWhole;
}

// Emits the number that stands for all parts.
class KindNumber {
 public:
  KindNumber(llvm::ScalarEvolution& evolution, Instruction& at)
      : expander_(evolution, at.getDataLayout(), "kind"),
        at_(at),
        builder_(&at),
        number_(builder_.getInt64(0)) {}

  bool add(const KindPart& part) {
    switch (part.form) {
      case KindPart::kWhole: {
        Value* sum = expand(part.sum);
        return sum != nullptr && mix(sum);
      }
      case KindPart::kPlace: {
        Value* sum = expand(part.sum);
        return sum != nullptr && mix(builder_.CreateAnd(sum, builder_.getInt64(31)));
      }
      case KindPart::kNarrow: {
        constexpr uint64_t kFar = uint64_t{1} << 30;
        Value* sum = expand(part.sum);
        if (sum == nullptr) return false;
        Value* isFar = builder_.CreateICmpUGE(sum, builder_.getInt64(kFar));
        return mix(builder_.CreateSelect(isFar, sum, builder_.getInt64(0)));
      }
      case KindPart::kOutcome: {
        Value *left = expand(part.sum), *right = expand(part.other);
        if (left == nullptr || right == nullptr) return false;
        return mix(
            builder_.CreateZExt(builder_.CreateICmp(part.predicate, left, right), builder_.getInt64Ty()));
      }
      case KindPart::kBound:
        return addBound(part);
    }
    return false;
  }
  // Of the arguments, whatever the block.
  bool addArguments(Function& kernel, Function& code) {
    const KernelAnnotation facts = kernelFacts(kernel);
    return llvm::all_of(code.args(), [&](llvm::Argument& argument) {
      return isIndirectParam(argument) ? addStructure(argument, facts.params[argument.getArgNo()].size)
                                       : addArgument(argument);
    });
  }
  Value* number() const { return number_; }

 private:
  bool addArgument(llvm::Argument& argument) {
    const Share share = shareOf(argument);
    const uint64_t bits = at_.getDataLayout().getTypeSizeInBits(argument.getType()).getFixedValue();
    if (share == Share::kNone) return true;
    if (bits > 64 || argument.getType()->isAggregateType()) return false;
    Value* value = &argument;
    value = argument.getType()->isPointerTy()
                ? builder_.CreatePtrToInt(value, builder_.getInt64Ty())
                : builder_.CreateZExt(
                      builder_.CreateBitCast(value, builder_.getIntNTy(static_cast<unsigned>(bits))),
                      builder_.getInt64Ty());
    return mix(share == Share::kPlaceInSector ? builder_.CreateAnd(value, builder_.getInt64(31)) : value);
  }

  bool addStructure(llvm::Argument& argument, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
      const unsigned size = bytes - at >= 8 ? 8 : 1;
      Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &argument, at);
      Value* word = builder_.CreateAlignedLoad(builder_.getIntNTy(8 * size), place, llvm::Align(1));
      mix(builder_.CreateZExt(word, builder_.getInt64Ty()));
      at += size;
    }
    return true;
  }

  bool addBound(const KindPart& part) {
    Value *sum = expand(part.sum), *other = expand(part.other), *low = expand(part.low),
          *high = expand(part.high);
    if (sum == nullptr || other == nullptr || low == nullptr || high == nullptr) return false;
    Value* holds = builder_.getTrue();
    for (const KindPart::Check& check : part.checks) {
      Value *from = expand(check.low), *to = expand(check.high);
      if (from == nullptr || to == nullptr) return false;
      holds = builder_.CreateAnd(holds, builder_.CreateICmpSGE(from, builder_.getInt64(0)));
      holds = builder_.CreateAnd(holds, builder_.CreateICmpSLT(to, builder_.getInt64(check.end)));
    }
    sum = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, sum, low);
    sum = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, sum, high);
    return mix(builder_.CreateZExt(holds, builder_.getInt64Ty())) &&
           mix(builder_.CreateSelect(holds, sum, other));
  }

  Value* expand(const llvm::SCEV* of) {
    if (!expander_.isSafeToExpandAt(of, &at_)) return nullptr;
    return expander_.expandCodeFor(of, of->getType(), at_.getIterator());
  }

  bool mix(Value* part) {
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
    number_ = builder_.CreateMul(builder_.CreateXor(number_, part), builder_.getInt64(kFactor));
    number_ = builder_.CreateXor(number_, builder_.CreateLShr(number_, 29));
    return true;
  }

  llvm::SCEVExpander expander_;
  Instruction& at_;
  IRBuilder<> builder_;
  Value* number_;
};

// A function of what `number` is made of, which all stands in the kernel's first block.
Function* functionOf(Function& kernel, Function& code, Value* number) {
  Values needed;
  llvm::SmallVector<const Value*, 32> work{number};
  while (!work.empty()) {
    const auto* next = llvm::dyn_cast<Instruction>(work.pop_back_val());
    if (next == nullptr || !needed.insert(next).second) continue;
    work.append(next->value_op_begin(), next->value_op_end());
  }
  IRBuilder<> builder(code.getContext());
  Function* kinds = createEntry(code, ".musa_kinds", builder.getInt64Ty());
  startEntry(builder, *kinds);
  llvm::ValueToValueMapTy values;
  for (const auto& [argument, value] :
       llvm::zip(code.args(), loadParams(kernel, kinds->getArg(0), builder, builder)))
    values[&argument] = value;
  for (Instruction& instruction : code.getEntryBlock()) {
    if (!needed.contains(&instruction)) continue;
    Instruction* own = builder.Insert(instruction.clone());
    own->setDebugLoc(builder.getCurrentDebugLocation());
    llvm::RemapInstruction(own, values, llvm::RF_NoModuleLevelChanges);
    values[&instruction] = own;
  }
  Value* result = needed.contains(number) ? static_cast<Value*>(values[number]) : number;
  builder.CreateRet(result);
  lowerBlockValues(*kinds, kinds->getArg(0), &kinds->getEntryBlock().front());
  return kinds;
}

}  // namespace

llvm::Constant* createBlockKinds(Function& kernel, Function& copy, llvm::FunctionAnalysisManager& analyses) {
  llvm::ValueToValueMapTy values;
  Function* code = llvm::CloneFunction(&copy, values);
  const std::array<Value*, 3> blockDim = askAtStart(*code);
  llvm::Constant* kinds = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(kernel.getContext()));
  const Sources sources(kernel, *code);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(*code);
  BlockParts block(evolution, sources.ofBlock, sources.known, blockDim);
  if (KindParts found(sources, block); found.find(*code)) {
    KindNumber number(evolution, *code->getEntryBlock().getTerminator());
    if (number.addArguments(kernel, *code) &&
        llvm::all_of(found.parts(), [&](const KindPart& part) { return number.add(part); }))
      kinds = functionOf(kernel, *code, number.number());
  }
  analyses.clear(*code, code->getName());
  code->eraseFromParent();
  return kinds;
}

}  // namespace musashim::mcc
