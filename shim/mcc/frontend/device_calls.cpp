#include "device_calls.h"

#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "launch_syntax.h"

namespace musashim::mcc {
namespace {

using namespace clang;

// One translation unit per thread: clang -cc1 has one at all, MTRTC a thread for each.
std::vector<FunctionDecl*>& impliedCallers() {
  static thread_local std::vector<FunctionDecl*> callers;
  return callers;
}

// A deduction guide makes no code, so nothing is wrong with using it anywhere; clang takes it for a host
// function.
void useOnBothSides(FunctionDecl& guide) {
  if (guide.hasAttr<CUDADeviceAttr>()) return;
  ASTContext& context = guide.getASTContext();
  guide.addAttr(CUDAHostAttr::CreateImplicit(context));
  guide.addAttr(CUDADeviceAttr::CreateImplicit(context));
}

// In the host pass: the instances of device code that are being made. One translation unit per thread.
std::vector<const Decl*>& openInstances() {
  static thread_local std::vector<const Decl*> open;
  return open;
}

// A kernel is launched by its stub, whatever is in its body.
void keepKernel(FunctionDecl& kernel) {
  if (!kernel.isInvalidDecl() || !kernel.hasAttr<CUDAGlobalAttr>()) return;
  if (!llvm::is_contained(openInstances(), &kernel)) return;
  const SourceLocation place = kernel.getLocation();
  kernel.setInvalidDecl(false);
  kernel.setBody(CompoundStmt::Create(kernel.getASTContext(), {}, FPOptionsOverride(), place, place));
}

// Device code that is made from a template may name what only the device pass has. The host pass makes no
// code of it, and says nothing: the device pass has said what is wrong.
class DeviceInstances : public TemplateInstantiationCallback {
 public:
  void initialize(const Sema&) override {}
  void finalize(const Sema&) override {}

  void atTemplateBegin(const Sema& sema, const Sema::CodeSynthesisContext& instance) override {
    if (!isDevices(instance)) return;
    std::vector<const Decl*>& open = openInstances();
    if (open.empty()) sema.getDiagnostics().setSuppressAllDiagnostics(true);
    open.push_back(instance.Entity);
  }
  // One that has got its attributes meanwhile is not among them.
  void atTemplateEnd(const Sema& sema, const Sema::CodeSynthesisContext& instance) override {
    std::vector<const Decl*>& open = openInstances();
    if (open.empty() || open.back() != instance.Entity) return;
    open.pop_back();
    if (open.empty()) sema.getDiagnostics().setSuppressAllDiagnostics(false);
  }

 private:
  static bool isDevices(const Sema::CodeSynthesisContext& instance) {
    if (instance.Kind != Sema::CodeSynthesisContext::TemplateInstantiation) return false;
    const auto* function = dyn_cast_or_null<FunctionDecl>(instance.Entity);
    if (function == nullptr || function->hasAttr<CUDAHostAttr>()) return false;
    return function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>();
  }
};

// Template arguments are deduced before clang asks who may call the instance.
class DeducedCalls : public TemplateInstantiationCallback {
 public:
  void initialize(const Sema&) override {}
  void finalize(const Sema&) override {}
  void atTemplateEnd(const Sema&, const Sema::CodeSynthesisContext&) override {}

  void atTemplateBegin(const Sema& sema, const Sema::CodeSynthesisContext& deduction) override {
    using Context = Sema::CodeSynthesisContext;
    if (deduction.Kind != Context::DeducedTemplateArgumentSubstitution &&
        deduction.Kind != Context::ExplicitTemplateArgumentSubstitution)
      return;
    const auto* pattern = dyn_cast_or_null<FunctionTemplateDecl>(deduction.Entity);
    if (pattern == nullptr) return;
    FunctionDecl* function = pattern->getTemplatedDecl();
    if (isa<CXXDeductionGuideDecl>(function)) useOnBothSides(*function);
    if (!function->hasAttr<CUDAGlobalAttr>()) return;
    FunctionDecl* caller = sema.getCurFunctionDecl(/*AllowLambda=*/true);
    if (caller == nullptr || !(caller->hasAttr<CUDADeviceAttr>() || caller->hasAttr<CUDAGlobalAttr>()))
      return;
    allowLaunch(const_cast<Sema&>(sema), *caller, deduction.PointOfInstantiation);
  }
};

class DeviceCallsConsumer : public SemaConsumer {
 public:
  void InitializeSema(Sema& sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<DeducedCalls>());
    if (!sema.getLangOpts().CUDAIsDevice)
      sema.TemplateInstCallbacks.push_back(std::make_unique<DeviceInstances>());
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    forgetDeviceCallers();
    for (Decl* declaration : group) {
      if (const auto* variable = dyn_cast<VarDecl>(declaration)) checkInitialiser(*variable);
      if (auto* function = dyn_cast<FunctionDecl>(declaration)) keepKernel(*function);
    }
    return true;
  }
  void HandleTranslationUnit(ASTContext&) override { forgetDeviceCallers(); }

 private:
  // Of a device's variable, which is in no function, nobody says that what it calls is not there
  // (GPUDeferDiag).
  static void checkInitialiser(const VarDecl& variable) {
    const ASTContext& context = variable.getASTContext();
    DiagnosticsEngine& diagnostics = context.getDiagnostics();
    if (!context.getLangOpts().CUDAIsDevice || diagnostics.hasErrorOccurred()) return;
    if (!variable.hasAttr<CUDADeviceAttr>() && !variable.hasAttr<CUDAConstantAttr>()) return;
    if (variable.getInit() == nullptr || !variable.getInit()->containsErrors()) return;
    diagnostics.Report(variable.getLocation(),
                       diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                                   "no function that the initialiser of %0 may call matches"))
        << &variable << variable.getInit()->getSourceRange();
  }
};

// `#ifdef __MUSA_ARCH__`, `#define HD __host__ __device__`: what a call may be of is the business of the pass
// that makes code of it. In the host pass, device code calls whatever there is, as clang has it where
// standard algorithms run on devices. In the device pass, that nothing matches a host function's call is no
// error.
void acceptAttributesOfOnePass(LangOptions& options) {
  options.GPUDeferDiag = options.CUDAIsDevice;
  options.HIPStdPar = !options.CUDAIsDevice;
}

class DeviceCallsAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDA) return std::make_unique<ASTConsumer>();
    acceptDeviceLaunches(compiler);
    acceptAttributesOfOnePass(compiler.getLangOpts());
    return std::make_unique<DeviceCallsConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<DeviceCallsAction> registration("musa-device-calls",
                                                            "lets device code launch kernel templates");

}  // namespace

void allowLaunch(Sema& sema, FunctionDecl& caller, SourceLocation place) {
  if (!caller.isImplicit()) {
    caller.setImplicit(true);
    impliedCallers().push_back(&caller);
  }
  sema.CUDA().LocsWithCUDACallDiags.insert({&caller, place});
}

void forgetDeviceCallers() {
  for (FunctionDecl* caller : impliedCallers()) caller->setImplicit(false);
  impliedCallers().clear();
}

}  // namespace musashim::mcc
