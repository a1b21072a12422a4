// mcc's host pass: clang emits launches and registration for HIP under fixed names;
// musart's entries have the same signatures under the vendor's names.
#include "../vectorizer/wrapping_strides.h"
#include "kernel_stubs.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace {

constexpr std::pair<llvm::StringRef, llvm::StringRef> kRuntimeNames[] = {
    {"hipLaunchKernel", "musaLaunchKernel"},
    {"hipLaunchKernel_spt", "musaLaunchKernel_ptsz"},
    {"__hipPushCallConfiguration", "__musaPushCallConfiguration"},
    {"__hipPopCallConfiguration", "__musaPopCallConfiguration"},
    {"__hipRegisterFatBinary", "__musaRegisterFatBinary"},
    {"__hipUnregisterFatBinary", "__musaUnregisterFatBinary"},
    {"__hipRegisterFunction", "__musaRegisterFunction"},
    {"__hipRegisterVar", "__musaRegisterVar"},
    {"__hipRegisterManagedVar", "__musaRegisterManagedVar"},
    {"__hipRegisterSurface", "__musaRegisterSurface"},
    {"__hipRegisterTexture", "__musaRegisterTexture"},
};

struct RegistrationNames : llvm::PassInfoMixin<RegistrationNames> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (const auto& [from, to] : kRuntimeNames) {
      llvm::Function* function = module.getFunction(from);
      if (function == nullptr || !function->isDeclaration()) continue;
      if (llvm::Function* existing = module.getFunction(to)) {
        function->replaceAllUsesWith(existing);
      } else {
        function->setName(to);
      }
    }
    for (llvm::GlobalVariable& global : module.globals()) nameUnit(global);
    registerFirst(module);
    unregisterLast(module);
    for (const char* registers : {"__musaRegisterVar", "__musaRegisterManagedVar"})
      keepShadows(module.getFunction(registers));
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  static constexpr int kFirst = 101;  // priorities below are the implementation's

  // Objects at file scope may launch kernels as they are made, and be destroyed with device memory: their
  // unit's kernels are registered before, as by nvcc, and unregistered after.
  static void registerFirst(llvm::Module& module) {
    const llvm::Function* registers = module.getFunction("__hip_module_ctor");
    llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
    if (registers == nullptr || list == nullptr) return;
    llvm::SmallVector<llvm::Constant*, 8> entries;
    for (const llvm::Use& entry : llvm::cast<llvm::Constant>(list->getInitializer())->operands()) {
      auto* constructor = llvm::cast<llvm::ConstantStruct>(entry.get());
      llvm::SmallVector<llvm::Constant*, 3> fields;
      for (llvm::Use& field : constructor->operands())
        fields.push_back(llvm::cast<llvm::Constant>(field.get()));
      if (fields[1]->stripPointerCasts() == registers)
        fields[0] = llvm::ConstantInt::get(fields[0]->getType(), kFirst);
      entries.push_back(llvm::ConstantStruct::get(constructor->getType(), fields));
    }
    list->setInitializer(
        llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(list->getValueType()), entries));
  }

  // As a destructor of the program or library, not by atexit(), so that musart knows exit() from dlclose():
  // its handler comes before all of them.
  static void unregisterLast(llvm::Module& module) {
    llvm::Function* unregisters = module.getFunction("__hip_module_dtor");
    llvm::Function* atExit = module.getFunction("atexit");
    if (unregisters == nullptr || atExit == nullptr) return;
    for (llvm::User* user : llvm::make_early_inc_range(atExit->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr || call->getCalledOperand() != atExit || !call->use_empty()) continue;
      if (call->getArgOperand(0)->stripPointerCasts() != unregisters) continue;
      call->eraseFromParent();
      llvm::appendToGlobalDtors(module, unregisters, kFirst);
    }
  }

  // Device variables are those of one program or shared library: another one's variable of
  // the same name must not take the place of the host's handle.
  static void keepShadows(llvm::Function* registers) {
    if (registers == nullptr) return;
    for (const llvm::User* user : registers->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledFunction() != registers) continue;
      auto* shadow = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(1)->stripPointerCasts());
      if (shadow != nullptr && !shadow->hasLocalLinkage() && !shadow->isDeclaration())
        shadow->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  }

  // Units compiled with -dc have an id: their mark finds them in archives, and the device
  // link defines what they register (driver/link/device_link.h). A linker that complains about
  // the latter names the remedy. Other units' marks must not clash when linking.
  static void nameUnit(llvm::GlobalVariable& global) {
    llvm::StringRef id = global.getName();
    if (id.consume_front("__hip_cuid_")) {
      if (id.empty()) {
        global.setLinkage(llvm::GlobalValue::InternalLinkage);
        return;
      }
      global.setName("__musa_unit_" + id.str());
      global.setVisibility(llvm::GlobalValue::HiddenVisibility);
    } else if (id.consume_front("__hip_fatbin_") && global.isDeclaration()) {
      global.setName("__musa_linked_by_mcc_" + id.str());
      global.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  }
};

void registerPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(musashim::mcc::KernelStubs());
    passes.addPass(RegistrationNames());
  });
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(musashim::mcc::WrappingStrides());
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "musa-host", "1", registerPasses};
}
