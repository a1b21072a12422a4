// Emits MusaImageInfo and what it points to (abi/musa_device_abi.h), field by field.
#include "abi/musa_device_abi.h"
#include "denormals.h"
#include "kernel_params.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/semantics/device_launches.h"
#include "mcc/device_plugin/source_facts/constant_variables.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::GlobalVariable;

constexpr llvm::StringRef kManagedSuffix = ".managed";

class TableBuilder {
 public:
  explicit TableBuilder(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  void build() {
    for (Function& entry : module_) {
      if (entry.hasFnAttribute(kEntryAttribute)) addKernel(entry);
    }
    for (GlobalVariable& global : module_.globals()) addVariable(global);
    Constant* kernels = array(kernels_);
    resolveLaunches(kernels);
    auto* info = llvm::ConstantStruct::getAnon({i32(MUSASHIM_IMAGE_MAGIC), i32(MUSASHIM_IMAGE_ABI_VERSION),
                                                i32(0), i32(kernels_.size()), kernels, i32(variables_.size()),
                                                i32(cpuLevel()), array(variables_)});
    auto* table = new GlobalVariable(module_, info->getType(), /*isConstant=*/true,
                                     GlobalVariable::ExternalLinkage, info, MUSASHIM_IMAGE_SYMBOL);
    table->setVisibility(GlobalVariable::DefaultVisibility);
    defineIsConstant(table);
    releaseKernels();
  }

 private:
  // The x86-64 level that the module's code needs, by the features that tell the levels apart.
  uint32_t cpuLevel() const {
    uint32_t level = 1;
    for (const Function& function : module_) {
      if (function.isDeclaration()) continue;
      const llvm::StringRef features = function.getFnAttribute("target-features").getValueAsString();
      const auto has = [&](llvm::StringRef feature) { return features.contains(feature); };
      level = std::max(level, has("+avx512f") ? 4u : has("+avx2") ? 3u : has("+sse4.2") ? 2u : 1u);
    }
    return level;
  }

  Constant* i32(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value); }
  Constant* i64(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), value); }
  Constant* null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context_)); }

  Constant* constant(Constant* value) {
    return new GlobalVariable(module_, value->getType(), true, GlobalVariable::PrivateLinkage, value,
                              "musa.table");
  }
  Constant* text(llvm::StringRef value) {
    return constant(llvm::ConstantDataArray::getString(context_, value));
  }
  Constant* array(llvm::ArrayRef<Constant*> elements) {
    if (elements.empty()) return null();
    return constant(llvm::ConstantArray::get(
        llvm::ArrayType::get(elements.front()->getType(), elements.size()), elements));
  }

  // Launches in device code name the kernel's entry in the table.
  void resolveLaunches(Constant* table) {
    for (const auto& [number, name] : llvm::enumerate(names_)) {
      GlobalVariable* standIn = module_.getGlobalVariable((kKernelInfoPrefix + name).str());
      if (standIn == nullptr) continue;
      standIn->replaceAllUsesWith(llvm::ConstantExpr::getInBoundsGetElementPtr(
          kernels_.front()->getType(), table,
          llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), number)));
      standIn->eraseFromParent();
    }
  }

  // Whether an address is one of this image's constants is asked by __isConstant.
  void defineIsConstant(Constant* table) {
    Function* asked = module_.getFunction("__musa_is_constant");
    if (asked == nullptr || !asked->isDeclaration()) return;
    asked->setSubprogram(nullptr);  // a declaration's, which debug information has where code is optimised
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", asked));
    const auto answer = module_.getOrInsertFunction("__musa_is_constant_of", builder.getInt32Ty(),
                                                    builder.getPtrTy(), builder.getPtrTy());
    builder.CreateRet(builder.CreateCall(answer, {table, asked->getArg(0)}));
    asked->setVisibility(GlobalVariable::DefaultVisibility);
    asked->setLinkage(GlobalVariable::InternalLinkage);
  }

  // The entries hold the kernels' code now. Kernels that nothing calls may be removed.
  void releaseKernels() {
    llvm::removeFromUsedLists(module_, [](Constant* used) {
      const auto* function = llvm::dyn_cast<Function>(used->stripPointerCasts());
      return function != nullptr && function->hasFnAttribute(kKernelAttribute);
    });
    for (Function& function : module_) {
      if (function.hasFnAttribute(kKernelAttribute) && !function.isDeclaration()) {
        function.setComdat(nullptr);
        function.setVisibility(GlobalVariable::DefaultVisibility);
        function.setLinkage(GlobalVariable::InternalLinkage);
      }
    }
  }

  void addKernel(Function& entry) {
    Function* kernel = module_.getFunction(entry.getFnAttribute(kEntryAttribute).getValueAsString());
    const KernelAnnotation facts = kernelFacts(*kernel);
    const ParamLayout layout = layoutParams(facts);
    std::vector<Constant*> params;
    for (const ParamSlot& slot : layout.slots) {
      params.push_back(llvm::ConstantStruct::getAnon({i32(slot.offset), i32(slot.size)}));
    }
    uint64_t sharedBytes = 0;
    (void)kernel->getFnAttribute(kSharedBytesAttribute).getValueAsString().getAsInteger(10, sharedBytes);
    uint32_t flags = kernel->hasFnAttribute(kFibersAttribute) ? MUSA_KERNEL_NEEDS_FIBERS : 0;
    if (kernel->hasFnAttribute(kSyncsGridAttribute)) flags |= MUSA_KERNEL_SYNCS_GRID;
    if (kernel->hasFnAttribute(kLooksBackAttribute)) flags |= MUSA_KERNEL_LOOKS_BACK;
    if (kernel->hasFnAttribute(kTakesTurnsAttribute)) flags |= MUSA_KERNEL_TAKES_TURNS;
    if (kernel->hasFnAttribute(kWaitsForCountAttribute)) flags |= MUSA_KERNEL_WAITS_FOR_COUNT;
    if (kernel->hasFnAttribute(kFlushDenormalsAttribute)) flags |= MUSA_KERNEL_FLUSHES_DENORMALS;
    flags |= facts.cudaArch << MUSA_KERNEL_CUDA_ARCH_SHIFT;
    Constant* versioned = null();
    if (entry.hasFnAttribute(kVersionedEntryAttribute))
      versioned = module_.getFunction(entry.getFnAttribute(kVersionedEntryAttribute).getValueAsString());
    names_.push_back(kernel->getName().str());
    kernels_.push_back(llvm::ConstantStruct::getAnon(
        {text(kernel->getName()), &entry, array(params), i32(params.size()), i32(layout.bytes),
         i32(sharedBytes), i32(facts.maxThreads), i32(facts.minBlocks), i32(flags), versioned}));
  }

  // Device variables are those that the host may write, which clang marks so, and all constants.
  void addVariable(GlobalVariable& global) {
    const bool isConstant = global.hasAttribute(kConstantAnnotation);
    if (!(global.isExternallyInitialized() || isConstant) || global.isDeclaration()) return;
    if (global.getName().ends_with(kManagedSuffix)) return;  // reached through its pointer
    const bool managed =
        module_.getGlobalVariable((global.getName() + kManagedSuffix).str(), true) != nullptr;
    const uint64_t size = module_.getDataLayout().getTypeAllocSize(global.getValueType());
    uint32_t flags = managed ? MUSA_VARIABLE_MANAGED : 0;
    if (isConstant) flags |= MUSA_VARIABLE_CONSTANT;
    variables_.push_back(
        llvm::ConstantStruct::getAnon({text(global.getName()), &global, i64(size), i32(flags), i32(0)}));
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  std::vector<Constant*> kernels_;
  std::vector<std::string> names_;  // of kernels_
  std::vector<Constant*> variables_;
};

}  // namespace

llvm::PreservedAnalyses ImageTable::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  TableBuilder(module).build();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
