// Function multiversioning: a version of each compute-bound kernel for processors with AVX-512 (x86-64-v4).
// The device runtime chooses the version.
//
// Only compute-bound kernels (arithmetic_intensity.h) have one: where memory is the bound, longer vectors
// gain nothing, and they take time to compile. Measured on an AMD EPYC 9xx5: twice the speed for tiled
// products and n-body, 1.4 for scans in shared memory, 1.1 for a stencil with a tile; none for sums over
// warps, copies and sparse products.
//
// Nor have kernels of very many loops (of a fast wavelet transform, 140 over threads become 950 vectorised
// ones): what LLVM does for a loop takes time by how many come before it, and there is little in each. The
// remark "musa-multiversioning" names them.
//
// What a kernel calls by name is versioned as well, except cold code. Functions that are called through
// pointers are not: their addresses are values that programs compare.
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::GlobalVariable;

llvm::cl::opt<bool> multiversioning("musa-multiversioning",
                                    llvm::cl::desc("MUSA kernels for x86-64-v4 as well"), llvm::cl::Hidden);

constexpr llvm::StringRef kSuffix = ".wide";

// Gathers and scatters are slower than scalar accesses. A vzeroupper at the end of every block waits there
// for all instructions in flight, loads of future blocks included (three times the time of a sum of an array
// in memory, on an AMD EPYC 9xx5): the device runtime has one after many blocks.
constexpr llvm::StringRef kFeatures = "+prefer-no-gather,+prefer-no-scatter,-vzeroupper";

constexpr unsigned kMostLoops = 100;  // of a kernel; those of tests/benchmarks have up to 32

unsigned loopsOf(llvm::ArrayRef<Function*> functions) {
  unsigned loops = 0;
  for (Function* function : functions)
    loops += llvm::count_if(llvm::instructions(*function), [](const llvm::Instruction& instruction) {
      return instruction.hasMetadata(llvm::LLVMContext::MD_loop);
    });
  return loops;
}

void reportLoops(const Function& kernel, unsigned loops) {
  llvm::OptimizationRemarkEmitter remarks(&kernel);
  remarks.emit([&] {
    return llvm::OptimizationRemarkMissed("musa-multiversioning", "ManyLoops", kernel.getSubprogram(),
                                          &kernel.getEntryBlock())
           << "no version for AVX-512: " << llvm::ore::NV("Loops", loops)
           << " loops over threads are more than " << llvm::ore::NV("Most", kMostLoops);
  });
}

bool isOfRuntime(const llvm::CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && callee->getName().starts_with("__musa_run_");
}

// What has versions together with a kernel.
class Reachable {
 public:
  explicit Reachable(Function& kernel) {
    collect(&kernel);
    for (size_t next = 0; next < functions_.size(); ++next) collectFrom(*functions_[next]);
  }

  llvm::ArrayRef<Function*> functions() const { return functions_.getArrayRef(); }
  llvm::ArrayRef<GlobalVariable*> programs() const { return programs_.getArrayRef(); }

 private:
  void collect(llvm::Value* value) {
    if (auto* function = llvm::dyn_cast<Function>(value)) {
      const bool isCold = function->hasFnAttribute(kColdAttribute);
      if (!function->isDeclaration() && !function->hasOptNone() && !isCold) functions_.insert(function);
    } else if (auto* variable = llvm::dyn_cast<GlobalVariable>(value)) {
      if (!variable->getName().starts_with(kProgramName) || !programs_.insert(variable)) return;
      for (llvm::Value* operand : variable->getInitializer()->operands()) collect(operand);
    }
  }

  void collectFrom(Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::Value* operand : instruction.operands()) {
        if (llvm::isa<GlobalVariable>(operand)) collect(operand);
      }
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      collect(call->getCalledFunction());
      if (!isOfRuntime(*call)) continue;
      for (llvm::Value* argument : call->args()) collect(argument);
    }
  }

  llvm::SetVector<Function*> functions_;
  llvm::SetVector<GlobalVariable*> programs_;  // of block functions, for the device runtime
};

class Multiversioner {
 public:
  explicit Multiversioner(llvm::Module& module) : module_(module) {}

  void run() {
    for (Function& function : module_) {
      if (!function.hasFnAttribute(kComputeBoundAttribute)) continue;
      const Reachable reachable(function);
      if (const unsigned loops = loopsOf(reachable.functions()); loops > kMostLoops) {
        reportLoops(function, loops);
        continue;
      }
      functions_.insert(reachable.functions().begin(), reachable.functions().end());
      programs_.insert(reachable.programs().begin(), reachable.programs().end());
    }
    for (Function* function : functions_) versions_[function] = copyOf(*function);
    for (GlobalVariable* program : programs_) versions_[program] = copyOf(*program);
    for (Function* function : functions_) connect(*llvm::cast<Function>(versions_[function]));
    for (GlobalVariable* program : programs_) {
      llvm::cast<GlobalVariable>(versions_[program])
          ->setInitializer(llvm::cast<Constant>(mapped(program->getInitializer())));
    }
  }

 private:
  Function* copyOf(Function& function) {
    llvm::ValueToValueMapTy map;
    Function* copy = llvm::CloneFunction(&function, map);
    copy->setName(function.getName() + kSuffix);
    copy->setComdat(nullptr);
    copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char* attribute : {"target-features", "tune-cpu"}) copy->removeFnAttr(attribute);
    copy->addFnAttr("target-cpu", "x86-64-v4");
    copy->addFnAttr("target-features", kFeatures);
    copy->addFnAttr("prefer-vector-width", "512");
    if (function.hasFnAttribute(kEntryAttribute)) {
      copy->removeFnAttr(kEntryAttribute);
      function.addFnAttr(kVersionedEntryAttribute, copy->getName());
    }
    return copy;
  }

  GlobalVariable* copyOf(GlobalVariable& program) {
    auto* copy = new GlobalVariable(module_, program.getValueType(), /*isConstant=*/true,
                                    program.getLinkage(), nullptr, program.getName() + kSuffix);
    copy->copyAttributesFrom(&program);
    return copy;
  }

  llvm::Value* mapped(llvm::Value* value) const {
    if (const auto found = versions_.find(value); found != versions_.end()) return found->second;
    const auto* parts = llvm::dyn_cast<llvm::ConstantStruct>(value);
    if (parts == nullptr) return value;
    llvm::SmallVector<Constant*, 8> fields;
    for (llvm::Value* field : parts->operands()) fields.push_back(llvm::cast<Constant>(mapped(field)));
    return llvm::ConstantStruct::get(parts->getType(), fields);
  }

  void connect(Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::Use& operand : instruction.operands()) {
        if (llvm::isa<GlobalVariable>(operand.get())) operand.set(mapped(operand.get()));
      }
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      if (isOfRuntime(*call)) {
        for (llvm::Use& argument : call->args()) argument.set(mapped(argument.get()));
      } else {
        call->setCalledOperand(mapped(call->getCalledFunction()));
      }
    }
  }

  llvm::Module& module_;
  llvm::SetVector<Function*> functions_;
  llvm::SetVector<GlobalVariable*> programs_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> versions_;
};

}  // namespace

llvm::PreservedAnalyses KernelMultiversioning::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!multiversioning) return llvm::PreservedAnalyses::all();
  Multiversioner(module).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
