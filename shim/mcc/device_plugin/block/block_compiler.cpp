// The steps of the block compiler in order, for each unit that a kernel is compiled for.
#include "block_compiler.h"

#include <optional>

#include "../device_target.h"
#include "../passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/block/emit/block_size_specialization.h"
#include "mcc/device_plugin/block/emit/emitter.h"
#include "mcc/device_plugin/block/emit/inter_warp_loops.h"
#include "mcc/device_plugin/block/emit/program_table.h"
#include "mcc/device_plugin/block/lockstep/group_warp_operations.h"
#include "mcc/device_plugin/block/lockstep/lockstep.h"
#include "mcc/device_plugin/block/loops/row_loops.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/kernel_entry/kernel_params.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "mcc/device_plugin/shared_memory/shared_atomics.h"
#include "mcc/device_plugin/shared_memory/speculate_shared_loads.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"
#include "mcc/device_plugin/tuning/constant_memory.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

constexpr uint32_t kRowLengths[] = {16,
                                    32};  // blockDim.x of two-dimensional blocks that get code of their own
constexpr size_t kMostSizes = 2;          // block sizes per kernel that get code of their own
constexpr unsigned kLargestClone = 1000;  // instructions of a specialized copy
constexpr unsigned kLargestUnrolled =
    2000;                            // instructions of a unit whose loops over threads LLVM may unroll
constexpr unsigned kMostWarps = 32;  // of blocks whose size gets code of its own

// What tests have go wrong.
enum class BlockFault { kNone, kInvalid, kCrash };
llvm::cl::opt<BlockFault> blockFault(
    "musa-block-fault", llvm::cl::desc("A fault in the block compiler, for tests"), llvm::cl::Hidden,
    llvm::cl::init(BlockFault::kNone),
    llvm::cl::values(clEnumValN(BlockFault::kInvalid, "invalid", "every unit is taken for invalid code"),
                     clEnumValN(BlockFault::kCrash, "crash", "the compiler crashes")));

bool isInvalid(const Function& kernel) { return kernel.hasFnAttribute(kInvalidBlockAttribute); }

// Also numbered barriers, at which warps wait.
bool usesWarpOps(Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto op = calledOp(instruction);
    return op.has_value() && (musaOpIsWarps(*op) || op == MUSA_OP_NAMED_WAIT);
  });
}

// --- The unit's function ----------------------------------------------------------------------

// The kernel, inlined into a function that runs a unit. Threads still ask for their index.
UnitFunction startUnit(Function& kernel, UnitKind kind, unsigned warpSize, const BlockSize* size = nullptr) {
  llvm::LLVMContext& context = kernel.getContext();
  UnitFunction unit;
  unit.kind = kind;
  unit.warpSize = warpSize;
  const bool warp = kind == UnitKind::kWarp;
  unit.function = warp ? createWarpFunction(kernel, warpSize)
                       : createEntry(kernel, ".musa_block", llvm::Type::getVoidTy(context));
  if (!warp) unit.function->addFnAttr(kBlockAttribute);
  if (size != nullptr) unit.function->addFnAttr(kRowThreadsAttribute, llvm::utostr((*size)[0]));
  IRBuilder<> builder(context);
  startEntry(builder, *unit.function);
  unit.unit = warp ? unit.function->getArg(0) : nullptr;
  unit.context = unit.function->getArg(warp ? 1 : 0);
  for (unsigned axis = 0; axis < 3; ++axis) {
    unit.blockDim[axis] = size != nullptr
                              ? builder.getInt32((*size)[axis])
                              : emitBlockValue(builder, {{}, BlockValue::kBlockDim, axis}, unit.context);
  }
  if (warp) {
    Value* origin = unit.field(builder, kUnitOriginField);
    llvm::Type* dim3 = llvm::ArrayType::get(builder.getInt32Ty(), 3);
    for (unsigned axis = 0; axis < 3; ++axis) {
      llvm::LoadInst* load =
          builder.CreateLoad(builder.getInt32Ty(), builder.CreateConstInBoundsGEP2_32(dim3, origin, 0, axis));
      auto* number = llvm::ConstantAsMetadata::get(builder.getInt32(axis));
      load->setMetadata(kOriginMetadata, llvm::MDNode::get(context, {number}));
      unit.origin[axis] = load;
    }
    // Only units in a row use their origin (MusaUnit::in_row), and those begin at a multiple of the warp
    // size. Said so, the lane is a constant of the vectoriser.
    unit.origin[0] = builder.CreateAnd(unit.origin[0], builder.getInt32(-warpSize));
  }
  auto* body = llvm::BasicBlock::Create(context, "kernel", unit.function);
  llvm::BranchInst* toBody = builder.CreateBr(body);
  IRBuilder<> perThread(body);
  perThread.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  IRBuilder<> shared(toBody);
  const std::vector<Value*> arguments = loadParams(kernel, unit.context, shared, perThread);
  llvm::CallInst* call = callKernel(perThread, kernel, arguments);
  warp ? perThread.CreateRet(perThread.getInt32(MUSA_UNIT_DONE)) : perThread.CreateRetVoid();
  inlineKernel(call);
  markConstantLoads(*unit.function);
  speculateSharedLoads(*unit.function, kernel, unit.warpSize);
  unit.maySpin = hasSpinLoop(*unit.function);
  lowerSharedAtomics(*unit.function);
  for (auto [getter, builtin] : builtinCalls(*unit.function)) {
    if (builtin->value == BlockValue::kBlockDim) replaceCall(getter, unit.blockDim[builtin->axis]);
  }
  return unit;
}

void simplify(Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::PassBuilder builder;
  registerLoopPasses(builder);
  builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)
      .run(function, analyses);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

// Cleans up what the emitter made, so that the vectoriser sees plain loops. Unswitching takes uniform
// conditions out of them, where copies of the loops are worth their compile time.
void cleanUp(Function& function, llvm::FunctionAnalysisManager& analyses) {
  const bool copies = function.getParent()->getNamedMetadata(kManyKernelsMetadata) == nullptr;
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/copies));
  loops.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true,
                                                       /*UseBlockFrequencyInfo=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.run(function, analyses);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

// Compiles a copy of the kernel in which `known` gives the value of some builtins. Constants unroll the loops
// that depend on them.
template <typename Known, typename Compile>
auto compileKnowing(Function& kernel, llvm::FunctionAnalysisManager& analyses, Known known, Compile compile) {
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&kernel, map);
  for (auto [call, builtin] : builtinCalls(*copy)) {
    if (const std::optional<uint32_t> value = known(*builtin))
      replaceCall(call, llvm::ConstantInt::get(call->getType(), *value));
  }
  storePredicates(*copy);
  simplify(*copy, analyses);
  auto result = compile(*copy);
  if (isInvalid(*copy)) kernel.addFnAttr(kInvalidBlockAttribute);
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return result;
}

void openBlockUnit(UnitFunction& unit, llvm::GlobalVariable* program) {
  IRBuilder<> builder = unit.atEntryEnd();
  llvm::Type* ptr = builder.getPtrTy();
  auto open = unit.function->getParent()->getOrInsertFunction(
      kOpenBlockName, llvm::FunctionType::get(ptr, {ptr, ptr}, false));
  unit.unit = builder.CreateCall(open, {unit.context, program});
}

void dropUnusedUnit(UnitFunction& unit, ProgramTable& program) {
  auto* open = llvm::cast<llvm::CallInst>(unit.unit);
  if (!open->use_empty()) return;
  open->eraseFromParent();
  program.table()->eraseFromParent();
}

// Makes the unit's function of the kernel in it. Returns a warp's program table.
llvm::GlobalVariable* finishUnit(UnitFunction& unit, Function& kernel, const BlockSize* size,
                                 llvm::FunctionAnalysisManager& analyses) {
  lowerBlockValues(*unit.function, unit.context, unit.entry().getTerminator());
  llvm::removeUnreachableBlocks(*unit.function);
  const bool publish = calleesReadThreadState(kernel);
  if (publish) {
    IRBuilder<> builder = unit.atEntryEnd();
    builder.CreateStore(unit.context, threadStateField(builder, *kernel.getParent(), kBlockField));
  }
  groupWarpOperations(*unit.function);
  prepareLockstep(unit, analyses);
  unrollOtherRowLoops(*unit.function, analyses);
  unit.isLarge = unit.function->getInstructionCount() > kLargestUnrolled;
  const auto suspendPoints = splitAtSuspendPoints(*unit.function);
  unit.hasSteps = llvm::any_of(suspendPoints, [](const auto& point) { return point->op == MUSA_OP_STEP; });
  ProgramTable program(*kernel.getParent());
  RegionGraph graph(*unit.function, suspendPoints, unit.warpSize);
  if (unit.kind == UnitKind::kBlock) openBlockUnit(unit, program.table());
  SlotTable slots(unit, unit.kind == UnitKind::kWarp || graph.threadsDiverge());
  RegionValues values(unit, graph, slots, suspendPoints);
  values.run();
  UnitEmitter emitter(unit, graph, slots, values, publish);
  emitter.run();
  if (unit.kind == UnitKind::kWarp) {
    analyses.clear(*unit.function, unit.function->getName());
    compileInterWarpLoops(unit, size);
  }
  program.fill(unit.kind == UnitKind::kWarp ? unit.function : nullptr, graph, values, slots);
  for (Function* made : {unit.function, emitter.divergedFunction()}) {
    if (made == nullptr) continue;
    if (blockFault == BlockFault::kCrash) LLVM_BUILTIN_TRAP;
    if (blockFault == BlockFault::kInvalid || llvm::verifyFunction(*made)) {
      kernel.addFnAttr(kInvalidBlockAttribute);
      made->deleteBody();
      made->setLinkage(llvm::GlobalValue::ExternalLinkage);  // of a declaration; nothing will call it
    } else {
      cleanUp(*made, analyses);
    }
  }
  if (unit.kind == UnitKind::kWarp) return program.table();
  if (!isInvalid(kernel)) dropUnusedUnit(unit, program);
  return nullptr;
}

// The block sizes worth a specialized copy, of those that the source launches the kernel with.
llvm::ArrayRef<BlockSize> sizesWorthCode(const Function& kernel) {
  const bool many = kernel.getParent()->getNamedMetadata(kManyKernelsMetadata) != nullptr;
  if (many || kernel.getInstructionCount() > kLargestClone) return {};
  const std::vector<BlockSize>& sizes = LaunchSizes::instance().of(kernel.getName());
  return llvm::ArrayRef(sizes).take_front(kMostSizes);
}

std::string nameOf(const BlockSize& size) {
  return (llvm::Twine(size[0]) + "." + llvm::Twine(size[1]) + "." + llvm::Twine(size[2])).str();
}

// For blocks of any size, or of `size`. The loops over warps know the size; the kernel's own loops do not.
// With constants in them they would no longer be the loops over rows that threads share.
llvm::GlobalVariable* compileWarp(Function& kernel, unsigned warpSize, const BlockSize* size,
                                  llvm::FunctionAnalysisManager& analyses) {
  const auto known = [&](const Builtin& builtin) {
    return builtin.value == BlockValue::kWarpSize ? std::optional<uint32_t>(warpSize) : std::nullopt;
  };
  return compileKnowing(kernel, analyses, known, [&](Function& sized) {
    UnitFunction unit = startUnit(sized, UnitKind::kWarp, warpSize);
    unit.function->setName(kernel.getName() + ".musa_warp" + llvm::Twine(warpSize) +
                           (size != nullptr ? "." + nameOf(*size) : ""));
    return finishUnit(unit, kernel, size, analyses);
  });
}

// Sizes whose warps get a specialized copy: few whole warps in each row.
bool isWorthWarpCode(const BlockSize& size, unsigned warpSize) {
  const uint64_t threads = uint64_t{size[0]} * size[1] * size[2];
  return size[0] % warpSize == 0 && threads > 0 && threads <= uint64_t{kMostWarps} * warpSize;
}

// The program for the block's size, if it has one, or that for any.
Value* programFor(Function& kernel, unsigned warpSize, IRBuilder<>& builder, Value* block,
                  llvm::FunctionAnalysisManager& analyses) {
  Value* program = compileWarp(kernel, warpSize, nullptr, analyses);
  const llvm::ArrayRef<BlockSize> sizes = sizesWorthCode(kernel);
  const auto* size =
      llvm::find_if(sizes, [&](const BlockSize& each) { return isWorthWarpCode(each, warpSize); });
  if (size == sizes.end()) return program;
  Value* same = isOfSize(builder, block, *size);
  return builder.CreateSelect(same, compileWarp(kernel, warpSize, size, analyses), program);
}

// The block's function runs its warps. Where devices of several warp sizes share the image, the device's warp
// size selects the program.
Function* compileWarps(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  return createRuntimeEntry(kernel, "__musa_run_warps", [&](IRBuilder<>& builder, Value* block) {
    const std::vector<unsigned> sizes = DeviceTarget::instance().warpSizes();
    Value* program = programFor(kernel, sizes.front(), builder, block, analyses);
    if (sizes.size() == 1) return program;
    Value* warpSize = emitBlockValue(builder, {{}, BlockValue::kWarpSize, 0}, block);
    for (size_t i = 1; i < sizes.size(); ++i) {
      Value* isThis = builder.CreateICmpEQ(warpSize, builder.getInt32(sizes[i]));
      Value* other = programFor(kernel, sizes[i], builder, block, analyses);
      program = builder.CreateSelect(isThis, other, program);
    }
    return program;
  });
}

UnitFunction compileBlock(Function& kernel, const BlockSize* size, llvm::FunctionAnalysisManager& analyses) {
  UnitFunction unit = startUnit(kernel, UnitKind::kBlock, 0, size);
  finishUnit(unit, kernel, size, analyses);
  return unit;
}

bool asksForRow(Function& kernel) {
  return llvm::any_of(builtinCalls(kernel), [](const auto& call) {
    return call.second->value == BlockValue::kThreadIdx && call.second->axis == 1;
  });
}

Function* compileForSize(Function& kernel, const BlockSize& size, llvm::FunctionAnalysisManager& analyses) {
  const auto known = [&](const Builtin& builtin) {
    return builtin.value == BlockValue::kBlockDim ? std::optional<uint32_t>(size[builtin.axis])
                                                  : std::nullopt;
  };
  return compileKnowing(kernel, analyses, known, [&](Function& sized) {
    Function* function = compileBlock(sized, &size, analyses).function;
    function->setName(kernel.getName() + ".musa_block." + nameOf(size));
    allowInterleaving(*function);
    return function;
  });
}

}  // namespace

std::string reasonForFibers(Function& kernel) {
  if (kernel.hasFnAttribute(llvm::Attribute::OptimizeNone)) return "it is compiled without optimisation";
  for (Function* function : reachableFrom(kernel)) {
    if (function == &kernel || function->isDeclaration()) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      if (calledOp(instruction)) {
        return ("threads wait for each other in '" + function->getName() + "', which is not inlined").str();
      }
    }
  }
  return {};
}

Function* compileBlockFunction(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  if (usesWarpOps(kernel)) return compileWarps(kernel, analyses);
  llvm::SmallVector<std::pair<BlockSize, Function*>, 2> special;
  for (const BlockSize& size : sizesWorthCode(kernel)) {
    special.emplace_back(size, compileForSize(kernel, size, analyses));
  }
  UnitFunction unit = compileBlock(kernel, nullptr, analyses);
  if (isInvalid(kernel)) return unit.function;
  if (!special.empty()) return chooseBySize(*unit.function, special);
  const bool needsRowLength = llvm::isa_and_nonnull<llvm::Instruction>(unit.blockDim[0]);
  if (!asksForRow(kernel) || !needsRowLength || unit.function->getInstructionCount() > kLargestClone)
    return unit.function;
  return cloneForRows(unit, kRowLengths);
}

}  // namespace musashim::mcc
