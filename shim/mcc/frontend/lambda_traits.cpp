// nvcc's traits of extended lambdas: closures of lambdas that are marked `__device__` or `__host__
// __device__` and stand in a function of the host, or of both sides. The prelude has templates that ask a
// closure type for member types of these names, which no closure has until it is asked.
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "syntax_visitor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

constexpr llvm::StringRef kAsking = "__musa_lambda_is";  // mcc_prelude.h
constexpr llvm::StringRef kDevice = "__musa_device_lambda";
constexpr llvm::StringRef kPreserved = "__musa_device_lambda_with_result";
constexpr llvm::StringRef kBothSides = "__musa_host_device_lambda";

class NamesParameter : public SyntaxVisitor {
 public:
  bool visit(Stmt& statement) override {
    const auto* reference = dyn_cast<DeclRefExpr>(&statement);
    return reference == nullptr || !isa<ParmVarDecl>(reference->getDecl());
  }
};

// `-> int`; what names a parameter does not count (CUDA C++ Programming Guide, "Extended Lambda Type
// Traits").
bool statesResult(const CXXMethodDecl& call) {
  const TypeSourceInfo* source = call.getTypeSourceInfo();
  if (source == nullptr) return false;
  const auto type = source->getTypeLoc().IgnoreParens().getAs<FunctionTypeLoc>();
  if (type.isNull()) return false;
  const TypeLoc result = type.getReturnLoc();
  // Of a lambda that states none, clang makes up `auto`, at no place of its own.
  if (result.getType()->getContainedAutoType() != nullptr) return false;
  return NamesParameter().traverse(result);
}

bool isInHostFunction(const CXXRecordDecl& closure) {
  for (const DeclContext* context = closure.getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* function = dyn_cast<FunctionDecl>(context);
    if (function == nullptr) continue;
    const bool isDevices = function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>();
    return !isDevices && !function->hasAttr<CUDAGlobalAttr>();
  }
  return false;
}

void add(CXXRecordDecl& closure, llvm::StringRef name) {
  ASTContext& context = closure.getASTContext();
  IdentifierInfo& identifier = context.Idents.get(name);
  if (!closure.lookup(&identifier).empty()) return;
  auto* alias = TypedefDecl::Create(context, &closure, SourceLocation(), SourceLocation(), &identifier,
                                    context.getTrivialTypeSourceInfo(context.VoidTy));
  alias->setAccess(AS_public);
  alias->setImplicit();
  closure.addDecl(alias);
}

void describe(CXXRecordDecl& closure) {
  const CXXMethodDecl* call = closure.getLambdaCallOperator();
  if (call == nullptr || !isInHostFunction(closure)) return;
  const auto* onDevice = call->getAttr<CUDADeviceAttr>();
  if (onDevice == nullptr || onDevice->isImplicit()) return;
  if (call->hasAttr<CUDAHostAttr>()) return add(closure, kBothSides);
  add(closure, kDevice);
  if (statesResult(*call)) add(closure, kPreserved);
}

// The templates' arguments are known before clang asks for the member.
class Asked : public TemplateInstantiationCallback {
 public:
  void initialize(const Sema&) override {}
  void finalize(const Sema&) override {}
  void atTemplateEnd(const Sema&, const Sema::CodeSynthesisContext&) override {}

  void atTemplateBegin(const Sema&, const Sema::CodeSynthesisContext& deduction) override {
    const auto* named = dyn_cast_or_null<NamedDecl>(deduction.Entity);
    if (named == nullptr || !isa<ClassTemplateSpecializationDecl>(named)) return;
    const IdentifierInfo* name = named->getIdentifier();
    if (name == nullptr || !name->getName().starts_with(kAsking)) return;
    for (const TemplateArgument& argument : deduction.template_arguments()) {
      if (argument.getKind() != TemplateArgument::Type) continue;
      CXXRecordDecl* record = argument.getAsType()->getAsCXXRecordDecl();
      if (record != nullptr && record->isLambda()) describe(*record);
    }
  }
};

class LambdaTraitsConsumer : public SemaConsumer {
 public:
  void InitializeSema(Sema& sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<Asked>());
  }
};

class LambdaTraitsAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDA) return std::make_unique<ASTConsumer>();
    return std::make_unique<LambdaTraitsConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<LambdaTraitsAction> registration("musa-lambda-traits",
                                                             "knows nvcc's traits of lambdas");

}  // namespace
}  // namespace musashim::mcc
