#include "host_calls.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "mcc/device_plugin/source_facts/annotations.h"
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
class HostCallees : public RecursiveASTVisitor<HostCallees> {
 public:
  explicit HostCallees(Sema& sema) : sema_(sema) {}

  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr* reference) { return see(reference->getDecl()); }
  bool VisitMemberExpr(MemberExpr* member) { return see(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* object) {
    see(object->getConstructor());
    return destroys(object->getType());
  }
  bool VisitVarDecl(VarDecl* variable) { return destroys(variable->getType()); }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* object) { return destroys(object->getType()); }
  bool VisitCXXNewExpr(CXXNewExpr* expression) {
    return see(expression->getOperatorNew()) && see(expression->getOperatorDelete());
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* expression) {
    see(expression->getOperatorDelete());
    return destroys(expression->getDestroyedType());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* argument) { return TraverseStmt(argument->getExpr()); }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr* initialiser) {
    return TraverseStmt(initialiser->getExpr());
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
  HostCallees(sema).TraverseDecl(const_cast<FunctionDecl*>(&caller));
}

}  // namespace musashim::mcc
