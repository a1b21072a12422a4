// `__shared__` as nvcc has it. Clang's attribute `shared` refuses what nvcc accepts:
//   - `__shared__ Object o;` whose constructor or destructor is more than nothing: neither ever runs.
//   - `extern __shared__ int table[64];`: the declaration is a definition of its own.
//   - `typedef int Open[]; extern __shared__ Open values;`
// So the SDK's macro is an attribute of this plugin. It gives variables the attribute that clang would, and
// keeps clang from initialising objects: it takes them for aliases until their code is generated.
#include <set>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "syntax_visitor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

constexpr llvm::StringRef kUninitialised = "musashim.uninitialised";

bool& anyUninitialised() {
  static thread_local bool any = false;  // one translation unit per thread
  return any;
}

bool mayRunCode(const ASTContext& context, QualType type) {
  type = context.getBaseElementType(type);
  if (type->isDependentType()) return true;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  if (!record->hasDefinition()) return true;  // a template's instance may not have been made yet
  return !record->hasTrivialDefaultConstructor() || !record->hasTrivialDestructor();
}

class SharedAttribute : public ParsedAttrInfo {
 public:
  SharedAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "musa_shared"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attribute, const Decl* declaration) const override {
    if (isa<VarDecl>(declaration)) return true;
    sema.Diag(attribute.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << "'__shared__'" << false << "variables";
    return false;
  }

  AttrHandling handleDeclAttribute(Sema& sema, Decl* declaration,
                                   const ParsedAttr& attribute) const override {
    auto& variable = *cast<VarDecl>(declaration);
    ASTContext& context = sema.getASTContext();
    if (variable.hasAttr<CUDASharedAttr>()) return AttributeApplied;
    if (sema.getLangOpts().CUDA && variable.hasLocalStorage() &&
        sema.CUDA().DiagIfHostCode(attribute.getLoc(), diag::err_cuda_host_shared)
            << llvm::to_underlying(sema.CUDA().CurrentTarget()))
      return AttributeNotApplied;
    variable.addAttr(CUDASharedAttr::CreateImplicit(context, attribute.getRange()));
    // The annotation is how the compiler's passes find block-shared storage.
    variable.addAttr(AnnotateAttr::CreateImplicit(context, "musa.shared", nullptr, 0, attribute.getRange()));
    if (!variable.hasExternalStorage() && mayRunCode(context, variable.getType())) {
      variable.addAttr(AliasAttr::CreateImplicit(context, kUninitialised));
      variable.addAttr(NoDestroyAttr::CreateImplicit(context));
      // One that is initialised is an alias no more: whether it may be is clang's business.
      sema.getDiagnostics().setSeverity(diag::err_alias_is_definition, diag::Severity::Ignored,
                                        SourceLocation());
      anyUninitialised() = true;
    }
    return AttributeApplied;
  }
};

bool doesSomething(const FunctionDecl* function) {
  return function != nullptr && function->isUserProvided() && !function->hasTrivialBody() &&
         function->hasBody();
}

bool initialisesMembers(const CXXConstructorDecl& constructor) {
  return llvm::any_of(constructor.inits(),
                      [](const CXXCtorInitializer* initializer) { return initializer->isWritten(); });
}

class UninitialisedVariables : public SyntaxVisitor {
 public:
  explicit UninitialisedVariables(ASTContext& context)
      : SyntaxVisitor(kInstantiations), context_(context), warns_(context.getLangOpts().CUDAIsDevice) {}

  bool visit(Decl& declaration) override {
    auto* variable = dyn_cast<VarDecl>(&declaration);
    if (variable == nullptr) return true;
    const auto* alias = variable->getAttr<AliasAttr>();
    if (alias == nullptr || alias->getAliasee() != kUninitialised) return true;
    if (variable->isTemplated()) return true;  // its instances have the attribute, too
    variable->dropAttr<AliasAttr>();
    if (warns_) warn(*variable);
    return true;
  }

 private:
  void warn(const VarDecl& variable) {
    const CXXRecordDecl* record = context_.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return;
    const bool constructs = llvm::any_of(record->ctors(), [](const CXXConstructorDecl* constructor) {
      return constructor->isDefaultConstructor() && constructor->isUserProvided() &&
             (doesSomething(constructor) || initialisesMembers(*constructor));
    });
    if (!constructs && !doesSomething(record->getDestructor())) return;
    if (!warned_.insert({variable.getLocation(), constructs}).second) return;
    DiagnosticsEngine& diagnostics = context_.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Warning, "the %0 of the __shared__ variable %1 does not run on the device");
    diagnostics.Report(variable.getLocation(), id)
        << (constructs ? "constructor" : "destructor") << &variable;
  }

  ASTContext& context_;
  const bool warns_;
  std::set<std::pair<SourceLocation, bool>> warned_;  // of a constructor?
};

class SharedVariablesConsumer : public ASTConsumer {
 public:
  explicit SharedVariablesConsumer(ASTContext& context) : visitor_(context) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (!anyUninitialised()) return true;
    for (Decl* declaration : group) visitor_.traverse(declaration);
    return true;
  }

 private:
  UninitialisedVariables visitor_;
};

class SharedVariablesAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<SharedVariablesConsumer>(compiler.getASTContext());
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

ParsedAttrInfoRegistry::Add<SharedAttribute> attribute("musa_shared", "__shared__");
FrontendPluginRegistry::Add<SharedVariablesAction> registration("musa-shared-variables",
                                                                "leaves __shared__ objects as they are");

}  // namespace
}  // namespace musashim::mcc
