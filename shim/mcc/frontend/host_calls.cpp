#include "host_calls.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "mcc/device_plugin/source_facts/annotations.h"
#include "syntax_visitor.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;

bool isForBothSides(const FunctionDecl& function) {
  return function.hasAttr<CUDAHostAttr>() && function.hasAttr<CUDADeviceAttr>();
}

// Clang says at once what is wrong with calls of a function that others can see, as it surely becomes code,
// and leaves a hole in the place of the call. One that has no body yet may be left out.
class OpenBodies {
 public:
  explicit OpenBodies(CompilerInstance& compiler) : compiler_(compiler) {}

  void see() {
    if (!compiler_.hasSema()) return;
    DeclContext* context = compiler_.getSema().CurContext;
    if (context == last_) return;
    last_ = context;
    auto* function = dyn_cast_or_null<FunctionDecl>(context);
    if (function != nullptr && function->willHaveBody() && isForBothSides(*function))
      function->setWillHaveBody(false);
  }

 private:
  CompilerInstance& compiler_;
  const DeclContext* last_ = nullptr;
};

// The same of explicit instantiations, which are implicit ones while their bodies are made. One translation
// unit per thread.
std::vector<FunctionDecl*>& openInstances() {
  static thread_local std::vector<FunctionDecl*> functions;
  return functions;
}

class OpenInstances : public TemplateInstantiationCallback {
 public:
  void initialize(const Sema&) override {}
  void finalize(const Sema&) override {}
  void atTemplateEnd(const Sema&, const Sema::CodeSynthesisContext&) override {}

  void atTemplateBegin(const Sema&, const Sema::CodeSynthesisContext& instance) override {
    if (instance.Kind != Sema::CodeSynthesisContext::TemplateInstantiation) return;
    auto* function = dyn_cast_or_null<FunctionDecl>(instance.Entity);
    if (function == nullptr || !isForBothSides(*function) ||
        function->getTemplateSpecializationKind() != TSK_ExplicitInstantiationDefinition)
      return;
    function->setTemplateSpecializationKind(TSK_ImplicitInstantiation);
    openInstances().push_back(function);
  }
};

void closeInstance(const FunctionDecl& instance) {
  llvm::erase_if(openInstances(), [&](FunctionDecl* one) {
    if (one != &instance) return false;
    one->setTemplateSpecializationKind(TSK_ExplicitInstantiationDefinition);
    return true;
  });
}

// nvcc takes constexpr functions that throw for both sides, too, where nobody has said so
// (--expt-relaxed-constexpr).
bool isForBothSidesAsConstant(const FunctionDecl& function) {
  return isForBothSides(function) && function.isConstexpr() &&
         function.getAttr<CUDADeviceAttr>()->isImplicit();
}

void annotate(FunctionDecl& callee) {
  for (const auto* attribute : callee.specific_attrs<AnnotateAttr>()) {
    if (attribute->getAnnotation().starts_with(kHostAnnotation)) return;
  }
  ASTContext& context = callee.getASTContext();
  const PresumedLoc place = context.getSourceManager().getPresumedLoc(callee.getLocation());
  const std::string text = kHostAnnotation.str() + std::to_string(place.isValid() ? place.getLine() : 0) +
                           ":" + (place.isValid() ? place.getFilename() : "");
  for (FunctionDecl* one : callee.redecls())
    one->addAttr(AnnotateAttr::CreateImplicit(context, text, nullptr, 0));
}

// What code is generated for a body refers to: also arguments that the source leaves out, and destructors.
class HostCallees : public SyntaxVisitor {
 public:
  explicit HostCallees(Sema& sema) : SyntaxVisitor(kImplicit), sema_(sema) {}

  bool visit(Decl& declaration) override {
    const auto* variable = dyn_cast<VarDecl>(&declaration);
    return variable == nullptr || destroys(variable->getType());
  }
  bool visit(Stmt& statement) override {
    if (auto* reference = dyn_cast<DeclRefExpr>(&statement)) return see(reference->getDecl());
    if (auto* member = dyn_cast<MemberExpr>(&statement)) return see(member->getMemberDecl());
    if (auto* object = dyn_cast<CXXConstructExpr>(&statement))
      return see(object->getConstructor()) && destroys(object->getType());
    if (auto* object = dyn_cast<CXXBindTemporaryExpr>(&statement)) return destroys(object->getType());
    if (auto* expression = dyn_cast<CXXNewExpr>(&statement))
      return see(expression->getOperatorNew()) && see(expression->getOperatorDelete());
    if (auto* expression = dyn_cast<CXXDeleteExpr>(&statement))
      return see(expression->getOperatorDelete()) && destroys(expression->getDestroyedType());
    if (auto* argument = dyn_cast<CXXDefaultArgExpr>(&statement)) return traverse(argument->getExpr());
    if (auto* initialiser = dyn_cast<CXXDefaultInitExpr>(&statement)) return traverse(initialiser->getExpr());
    return true;
  }

 private:
  bool see(Decl* declaration) {
    auto* function = dyn_cast_or_null<FunctionDecl>(declaration);
    if (function != nullptr && function->getBuiltinID() == 0 &&
        sema_.CUDA().IdentifyTarget(function) == CUDAFunctionTarget::Host)
      annotate(*function);
    return true;
  }

  bool destroys(QualType type) {
    if (type.isNull()) return true;
    const CXXRecordDecl* record = sema_.Context.getBaseElementType(type)->getAsCXXRecordDecl();
    return record == nullptr || !record->hasDefinition() || see(record->getDestructor());
  }

  Sema& sema_;
};

}  // namespace

void deferHostCalls(CompilerInstance& compiler) {
  auto bodies = std::make_shared<OpenBodies>(compiler);
  watchTokens(compiler.getPreprocessor(), [bodies](const Token&) { bodies->see(); });
}

void deferHostCallsOfInstances(Sema& sema) {
  sema.TemplateInstCallbacks.push_back(std::make_unique<OpenInstances>());
}

void annotateHostCallees(Sema& sema, const FunctionDecl& caller) {
  closeInstance(caller);
  const auto errors = sema.DeviceDeferredDiags.find(&caller);
  if (errors != sema.DeviceDeferredDiags.end() && isForBothSidesAsConstant(caller)) {
    llvm::erase_if(errors->second, [](const PartialDiagnosticAt& error) {
      return error.second.getDiagID() == diag::err_cuda_device_exceptions;
    });
  }
  if (!isForBothSides(caller) || !sema.DeviceDeferredDiags.contains(&caller)) return;
  HostCallees(sema).traverse(const_cast<FunctionDecl*>(&caller));
}

}  // namespace musashim::mcc
