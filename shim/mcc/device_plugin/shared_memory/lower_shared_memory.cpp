// Lays out __shared__ variables in the block's shared memory: each becomes an offset from its start.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/source_facts/annotations.h"

namespace musashim::mcc {
namespace {

struct SharedVariable {
  llvm::GlobalVariable* variable = nullptr;
  uint64_t size = 0;
  uint64_t align = 1;
  uint64_t offset = 0;
  llvm::SmallVector<llvm::Function*, 4> kernels;  // that may use it
};

bool interfere(const SharedVariable& a, const SharedVariable& b) {
  return llvm::any_of(a.kernels,
                      [&](llvm::Function* kernel) { return llvm::is_contained(b.kernels, kernel); });
}

class SharedLayout {
 public:
  explicit SharedLayout(llvm::Module& module) : module_(module) {
    collectVariables();
    collectKernels();
  }

  bool empty() const { return variables_.empty(); }
  const std::vector<SharedVariable>& variables() const { return variables_; }

  // Two variables may overlap when no kernel uses both. Hardware charges a kernel for its own shared memory
  // only.
  void place() {
    std::sort(variables_.begin(), variables_.end(), [](const SharedVariable& a, const SharedVariable& b) {
      return std::tuple(a.align, a.size, a.variable->getName()) >
             std::tuple(b.align, b.size, b.variable->getName());
    });
    for (size_t i = 0; i < variables_.size(); ++i) placeOne(i);
  }

  void recordSizes() {
    std::map<llvm::Function*, std::set<uint64_t>> ends;
    for (const SharedVariable& variable : variables_) {
      for (llvm::Function* kernel : variable.kernels) ends[kernel].insert(variable.offset + variable.size);
    }
    for (const auto& [kernel, of] : ends) {
      kernel->addFnAttr(kSharedBytesAttribute, std::to_string(*of.rbegin()));
      kernel->addFnAttr(
          kSharedEndsAttribute,
          llvm::join(llvm::map_range(of, [](uint64_t end) { return std::to_string(end); }), " "));
    }
  }

 private:
  void collectVariables() {
    const llvm::DataLayout& layout = module_.getDataLayout();
    for (llvm::GlobalVariable& global : module_.globals()) {
      if (!global.hasAttribute(kSharedAnnotation)) continue;
      if (global.isDeclaration()) continue;
      SharedVariable shared;
      shared.variable = &global;
      shared.size = layout.getTypeAllocSize(global.getValueType());
      shared.align = std::max<uint64_t>(global.getAlign().valueOrOne().value(),
                                        layout.getPreferredAlign(&global).value());
      variables_.push_back(shared);
    }
  }

  void collectKernels() {
    for (llvm::Function& function : module_) {
      if (!function.hasFnAttribute(kKernelAttribute)) continue;
      const FunctionSet reached = reachableFrom(function);
      for (SharedVariable& shared : variables_) {
        const bool used = llvm::any_of(shared.variable->users(), [&](llvm::User* user) {
          const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
          return instruction != nullptr &&
                 reached.contains(const_cast<llvm::Function*>(instruction->getFunction()));
        });
        if (used) shared.kernels.push_back(&function);
      }
    }
  }

  void placeOne(size_t index) {
    SharedVariable& shared = variables_[index];
    uint64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t other = 0; other < index; ++other) {
        const SharedVariable& placed = variables_[other];
        const bool overlaps = offset < placed.offset + placed.size && placed.offset < offset + shared.size;
        if (!overlaps || !interfere(shared, placed)) continue;
        offset = llvm::alignTo(placed.offset + placed.size, shared.align);
        moved = true;
      }
    }
    shared.offset = offset;
  }

  llvm::Module& module_;
  std::vector<SharedVariable> variables_;
};

llvm::Function* getter(llvm::Module& module, llvm::StringRef name) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::PointerType::getUnqual(context), false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::Speculatable);
  return function;
}

// Replaces every use by `base() + offset`, computed once at the start of each function.
void replaceUses(llvm::GlobalVariable& variable, llvm::Function* base, uint64_t offset) {
  std::map<llvm::Function*, llvm::Value*> addresses;
  for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr) continue;
    llvm::Value*& address = addresses[user->getFunction()];
    if (address == nullptr) {
      llvm::IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      llvm::Value* start = builder.CreateCall(base);
      address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset);
    }
    use.set(address);
  }
  if (variable.use_empty()) variable.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses LowerSharedMemory::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::GlobalVariable*, 4> dynamic;
  llvm::SmallVector<llvm::Constant*, 8> constants;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with(kDynamicSharedPrefix)) dynamic.push_back(&global);
    if (global.getName().starts_with(kDynamicSharedPrefix) || global.hasAttribute(kSharedAnnotation))
      constants.push_back(&global);
  }
  if (constants.empty()) return llvm::PreservedAnalyses::all();
  llvm::convertUsersOfConstantsToInstructions(constants);

  SharedLayout layout(module);
  layout.place();
  layout.recordSizes();
  for (const SharedVariable& shared : layout.variables()) {
    replaceUses(*shared.variable, getter(module, kSharedBaseName), shared.offset);
  }
  for (llvm::GlobalVariable* variable : dynamic)
    replaceUses(*variable, getter(module, kDynamicSharedName), 0);
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
