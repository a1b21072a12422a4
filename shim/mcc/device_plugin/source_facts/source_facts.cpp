// The clang half: runs before code generation in mcc's device pass.
//
//   source => kernels and shared arrays => annotations for the LLVM half
//
// It also gives kernels the Win64 calling convention while their code is generated.
// The System V one splits small structs over registers by rules that depend on all
// parameters before them; with Win64 every source parameter is exactly one IR
// parameter: itself, or a pointer. The source never sees it: host code that takes a
// kernel's address is checked with the kernel's own type.
#include <map>

#include "annotations.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaConsumer.h"
#include "launch_sizes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/device_plugin/device_target.h"
#include "mcc/frontend/assembly/ptx_diagnostics.h"
#include "mcc/frontend/device_diagnostics.h"
#include "mcc/frontend/host_calls.h"
#include "mcc/frontend/syntax_visitor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

KernelParam describe(const ASTContext& context, QualType type) {
  KernelParam param;
  const QualType value =
      type.getNonReferenceType() == type ? type : context.getPointerType(type.getNonReferenceType());
  param.size = static_cast<uint32_t>(context.getTypeSizeInChars(value).getQuantity());
  param.align = static_cast<uint32_t>(context.getTypeAlignInChars(value).getQuantity());
  // Win64: passed in a register when 1, 2, 4 or 8 bytes large and trivially copied,
  // else by a pointer. The LLVM half knows by the IR type too, except for 8 bytes.
  if (const CXXRecordDecl* record = value->getAsCXXRecordDecl())
    param.indirect = !record->canPassInRegisters();
  const bool registerSize = param.size == 1 || param.size == 2 || param.size == 4 || param.size == 8;
  if (!registerSize) param.indirect = true;
  return param;
}

uint32_t evaluate(const ASTContext& context, const Expr* expression) {
  if (expression == nullptr) return 0;
  const std::optional<llvm::APSInt> value = expression->getIntegerConstantExpr(context);
  return value ? static_cast<uint32_t>(value->getExtValue()) : 0;
}

// The kernels seen so far, with their own types, to switch between the conventions.
// One translation unit per thread.
class KernelConventions {
 public:
  static KernelConventions& instance() {
    static thread_local KernelConventions conventions;
    return conventions;
  }

  // Both types at once: they are set anew for each declaration, of which a file may have a hundred thousand.
  void add(FunctionDecl* kernel) {
    const QualType own = kernel->getType();
    kernels_.push_back({kernel, own, win64Type(kernel->getASTContext(), own)});
  }

  static QualType win64Type(ASTContext& context, QualType ownType) {
    const auto* type = ownType->castAs<FunctionType>();
    return QualType(context.adjustFunctionType(type, type->getExtInfo().withCallingConv(CC_Win64)), 0);
  }

  void useWin64() {
    for (const Kernel& kernel : kernels_) kernel.function->setType(kernel.win64Type);
  }

  void restore() {
    for (const Kernel& kernel : kernels_) kernel.function->setType(kernel.ownType);
  }

 private:
  struct Kernel {
    FunctionDecl* function;
    QualType ownType, win64Type;
  };
  std::vector<Kernel> kernels_;
};

class FactsVisitor : public SyntaxVisitor {
 public:
  explicit FactsVisitor(ASTContext& context)
      : SyntaxVisitor(kInstantiations | kImplicit), context_(context) {}

  void setSema(Sema* sema) { sema_ = sema; }
  void setPtx(std::shared_ptr<InlinePtx> ptx) { ptx_ = std::move(ptx); }

  bool visit(Decl& declaration) override {
    if (auto* function = dyn_cast<FunctionDecl>(&declaration)) see(function);
    if (auto* variable = dyn_cast<VarDecl>(&declaration)) see(variable);
    return true;
  }

  bool visit(Stmt& statement) override {
    auto* launch = dyn_cast<CUDAKernelCallExpr>(&statement);
    if (launch == nullptr) return true;
    LaunchSizes::instance().note(context_, *launch);
    if (!launch->isTypeDependent() && launch->getDirectCallee() != nullptr) callAsWin64(*launch);
    return true;
  }

 private:
  void see(FunctionDecl* function) {
    if (sema_ != nullptr) annotateHostCallees(*sema_, *function);
    if (sema_ != nullptr && ptx_ != nullptr) ptx_->deferErrors(*sema_, *function);
    if (!function->hasAttr<CUDAGlobalAttr>() || function->isDependentContext()) return;
    if (context_.getDiagnostics().hasErrorOccurred()) return;  // types may be incomplete
    if (known_.insert(function).second) KernelConventions::instance().add(function);
    // A template's instance may have come without its body before.
    if (function->doesThisDeclarationHaveABody() && !isAnnotated(function)) annotateKernel(function);
  }

  void see(VarDecl* variable) {
    const QualType type = variable->getType();
    if (type->isCUDADeviceBuiltinTextureType() || type->isCUDADeviceBuiltinSurfaceType())
      variable->addAttr(AnnotateAttr::CreateImplicit(context_, kReferenceAnnotation, nullptr, 0));
    if (variable->hasAttr<CUDASharedAttr>() && !variable->isTemplated()) nameShared(*variable);
  }

  // `extern "C" __shared__ int values[];` is no definition, either.
  void nameShared(VarDecl& variable) {
    if (variable.isThisDeclarationADefinition() != VarDecl::DeclarationOnly) return;
    if (variable.hasAttr<AsmLabelAttr>() || variable.getDefinition() != nullptr) return;
    std::string label = kDynamicSharedPrefix.str() + variable.getNameAsString();
    if (!variable.getType()->isIncompleteType()) label = sizedName(variable);
    variable.addAttr(AsmLabelAttr::CreateImplicit(context_, label, /*IsLiteralLabel=*/true));
  }

  // nvcc takes one that has a size for a definition of its file, or function, alone.
  std::string sizedName(const VarDecl& variable) {
    const SourceManager& sources = context_.getSourceManager();
    const auto file = sources.getFileEntryRefForID(sources.getMainFileID());
    const auto hash = file ? llvm::hash_value(file->getFileEntry().tryGetRealPathName()) : llvm::hash_code(0);
    const VarDecl* first = variable.isLocalExternDecl() ? &variable : variable.getCanonicalDecl();
    const auto number = sized_.try_emplace(first, sized_.size()).first->second;
    return kSizedSharedPrefix.str() + variable.getNameAsString() + '.' + std::to_string(number) + '.' +
           llvm::utohexstr(hash);
  }

  static bool isAnnotated(const FunctionDecl* function) {
    for (const auto* attribute : function->specific_attrs<AnnotateAttr>()) {
      if (attribute->getAnnotation().starts_with(kKernelAnnotation)) {
        return true;
      }
    }
    return false;
  }

  void annotateKernel(FunctionDecl* function) {
    KernelAnnotation kernel;
    kernel.cudaArch = DeviceTarget::instance().cudaArch;
    if (const auto* bounds = function->getAttr<CUDALaunchBoundsAttr>()) {
      kernel.maxThreads = evaluate(context_, bounds->getMaxThreads());
      kernel.minBlocks = evaluate(context_, bounds->getMinBlocks());
      // Its loops are those of one thread, not of a block's threads side by side.
      if (kernel.maxThreads == 1)
        LaunchSizes::instance().add(ASTNameGenerator(context_).getName(function), {1, 1, 1});
    }
    for (const ParmVarDecl* param : function->parameters())
      kernel.params.push_back(describe(context_, param->getType()));
    function->addAttr(AnnotateAttr::CreateImplicit(context_, encodeKernel(kernel), nullptr, 0));
  }

  // Code is generated of launches in device functions: they pass what the kernel takes.
  void callAsWin64(CUDAKernelCallExpr& launch) {
    auto* decay = dyn_cast<ImplicitCastExpr>(launch.getCallee()->IgnoreParens());
    if (decay == nullptr || decay->getCastKind() != CK_FunctionToPointerDecay) return;
    Expr* kernel = decay->getSubExpr();
    const QualType type = KernelConventions::win64Type(context_, kernel->getType());
    decay->setType(context_.getPointerType(type));
    for (; auto* parentheses = dyn_cast<ParenExpr>(kernel); kernel = parentheses->getSubExpr())
      parentheses->setType(type);
    kernel->setType(type);
  }

  ASTContext& context_;
  Sema* sema_ = nullptr;
  std::shared_ptr<InlinePtx> ptx_;
  llvm::SmallPtrSet<const FunctionDecl*, 16> known_;
  std::map<const VarDecl*, size_t> sized_;  // `extern __shared__` variables that have a size
};

class FactsConsumer : public SemaConsumer {
 public:
  FactsConsumer(ASTContext& context, std::string launchSizesFile)
      : context_(context), visitor_(context), launchSizesFile_(std::move(launchSizesFile)) {}

  void InitializeSema(Sema& sema) override {
    visitor_.setSema(&sema);
    deferHostCallsOfInstances(sema);
  }
  void ForgetSema() override { visitor_.setSema(nullptr); }
  void setPtx(std::shared_ptr<InlinePtx> ptx) { visitor_.setPtx(std::move(ptx)); }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl* declaration : group) visitor_.traverse(declaration);
    KernelConventions::instance().useWin64();
    refuseHostReferences();
    return true;
  }

  // Of a precompiled header, whose facts were recorded when it was made. No header of the SDK has kernels.
  void HandleInterestingDecl(DeclGroupRef) override {}

  // Templates and inline functions are generated last.
  void HandleTranslationUnit(ASTContext&) override {
    KernelConventions::instance().useWin64();
    refuseHostReferences();
    if (launchSizesFile_.empty()) return;
    std::error_code error;
    llvm::raw_fd_ostream out(launchSizesFile_, error);
    if (!error) LaunchSizes::instance().write(out);
  }

 private:
  // Clang has not counted such errors, and leaves holes where they are: no code may be generated of those.
  void refuseHostReferences() {
    DiagnosticsEngine& diagnostics = context_.getDiagnostics();
    if (!DeviceDiagnostics::of(diagnostics).refusedReference() || diagnostics.hasErrorOccurred()) return;
    diagnostics.Report(diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error, "device code cannot be generated while it refers to host functions"));
  }

  ASTContext& context_;
  FactsVisitor visitor_;
  std::string launchSizesFile_;
};

// Runs behind code generation.
class RestoringConsumer : public ASTConsumer {
 public:
  bool HandleTopLevelDecl(DeclGroupRef) override {
    KernelConventions::instance().restore();
    return true;
  }
};

// Notes whether the source asks for the architecture. Code that does not is the
// same for all of them, so mcc compiles it once.
class ArchUseRecorder : public PPCallbacks {
 public:
  ArchUseRecorder(const SourceManager& sources, std::string file)
      : sources_(sources), file_(std::move(file)) {}

  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange range, const MacroArgs*) override {
    if (used_ || name.getIdentifierInfo()->getName() != "__MUSA_ARCH__") return;
    if (sources_.isInSystemHeader(range.getBegin())) return;
    used_ = true;
    DeviceTarget::instance().archIsUsed = true;
    std::error_code error;
    llvm::raw_fd_ostream out(file_, error);
  }

 private:
  const SourceManager& sources_;
  std::string file_;
  bool used_ = false;
};

class FactsAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    DeviceDiagnostics::of(compiler.getDiagnostics());  // counts errors, so from the first on
    deferHostCalls(compiler);
    if (!archUseFile_.empty()) {
      compiler.getPreprocessor().addPPCallbacks(
          std::make_unique<ArchUseRecorder>(compiler.getSourceManager(), archUseFile_));
    }
    auto consumer = std::make_unique<FactsConsumer>(compiler.getASTContext(), launchSizesFile_);
#ifdef MCC_KNOWS_PTX
    consumer->setPtx(watchInlinePtx(compiler));
#endif
    return consumer;
  }

  // arch-use=FILE: FILE is created when the source depends on __MUSA_ARCH__.
  // launch-sizes=FILE: constant launches are written to FILE (module_facts.h).
  // warp-size=N: of the architecture that is compiled for; other-warp-size=N: of another
  // one that the image will serve, too, if it does not depend on __MUSA_ARCH__.
  // cuda-arch=N: __CUDA_ARCH__ of a CUDA source.
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>& arguments) override {
    for (const std::string& argument : arguments) {
      llvm::StringRef text(argument);
      unsigned size = 0;
      if (text.consume_front("arch-use=")) archUseFile_ = text.str();
      if (text.consume_front("launch-sizes=")) launchSizesFile_ = text.str();
      if (text.consume_front("warp-size=") && !text.getAsInteger(10, size))
        DeviceTarget::instance().warpSize = size;
      if (text.consume_front("other-warp-size=") && !text.getAsInteger(10, size))
        DeviceTarget::instance().otherWarpSizes.push_back(size);
      if (text.consume_front("cuda-arch=") && !text.getAsInteger(10, size))
        DeviceTarget::instance().cudaArch = size;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  std::string archUseFile_;
  std::string launchSizesFile_;
};

class RestoringAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<RestoringConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddAfterMainAction; }
};

FrontendPluginRegistry::Add<RestoringAction> restoring("musa-kernel-types", "restores the types of kernels");
FrontendPluginRegistry::Add<FactsAction> registration("musa-source-facts",
                                                      "records what device code generation needs");

}  // namespace
}  // namespace musashim::mcc
