// One walk over the project's own declarations: whose names they use, and what the checks say of each. What
// the targets can do comes with the request.

#include "translator/semantic/visitor.h"

#include <algorithm>

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "translator/semantic/expressions.h"
#include "translator/semantic/flow/capability_flow.h"
#include "translator/semantic/limit_checks.h"
#include "translator/semantic/walked_unit.h"
#include "translator/semantic/warp_checks.h"

namespace musashim::translator {
namespace {

using namespace clang;

class Visitor : public RecursiveASTVisitor<Visitor> {
  using Base = RecursiveASTVisitor<Visitor>;

 public:
  Visitor(ASTContext& context, UnitFacts& facts)
      : unit_(context, facts), capabilities_(context, facts), warps_(unit_), limits_(unit_) {}

  bool shouldVisitTemplateInstantiations() const { return false; }

  void run() {
    // Those of a prelude that clang never asked for are none of the project's.
    for (Decl* declaration : unit_.context.getTranslationUnitDecl()->noload_decls()) {
      if (unit_.facts.fileOf(unit_.sources, unit_.sources.getFileLoc(declaration->getLocation())) != SIZE_MAX)
        TraverseDecl(declaration);
    }
  }

  // --- where we are -------------------------------------------------------------------------------

  bool TraverseFunctionDecl(FunctionDecl* function) {
    return inside(function, [&] { return Base::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) {
    return inside(function, [&] { return Base::TraverseCXXMethodDecl(function); });
  }

  template <class Walk>
  bool inside(FunctionDecl* function, Walk walk) {
    const WalkedFunction outer = function_;
    function_ = {function, function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>()};
    if (function->hasAttr<CUDAGlobalAttr>()) limits_.checkBounds(function);
    const bool result = walk();
    limits_.checkFunction(function_);
    warps_.checkFunction(function_);
    function_ = outer;
    return result;
  }

  // --- names --------------------------------------------------------------------------------------

  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    name(reference->getLocation(), reference->getDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc type) {
    name(type.getNameLoc(), type.getTypedefNameDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc type) {
    name(type.getNameLoc(), type.getDecl());
    return true;
  }
  bool VisitNamedDecl(NamedDecl* declaration) {
    // A project's prototype of an API function is not its own; a definition is.
    const auto* function = dyn_cast<FunctionDecl>(declaration);
    if (function && function->isExternC()) return true;
    if (isa<TypedefNameDecl>(declaration)) return true;
    if (function && !function->isThisDeclarationADefinition()) return true;
    name(declaration->getLocation(), declaration);
    return true;
  }

  // --- checks -------------------------------------------------------------------------------------

  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isComparisonOp()) checkCapability(operation);
    warps_.checkOperator(function_, operation);
    return true;
  }

  bool VisitSwitchStmt(SwitchStmt* choice) {
    if (capabilities_.holds(choice->getCond())) reportCapability(choice->getCond(), "switch");
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    const NamedDecl* named = callee;
    if (const auto* unresolved = dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreImpCasts())) {
      if (unresolved->decls_begin() != unresolved->decls_end()) named = *unresolved->decls_begin();
    }
    if (!named || !named->getIdentifier()) return true;
    const StringRef function = named->getName();
    if (function == "musaFuncSetAttribute" || function == "muFuncSetAttribute")
      limits_.checkDynamicLimit(call);
    if ((function == "musaLaunchKernel" || function == "musaLaunchCooperativeKernel") && !function_.device &&
        call->getNumArgs() > 4)
      limits_.checkLaunch(call->getBeginLoc(), function.str(), call->getArg(2), call->getArg(4));
    warps_.checkCall(function_, call, function);
    return true;
  }

  bool VisitForStmt(ForStmt* loop) {
    warps_.checkLoop(function_, loop);
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    limits_.checkVariable(function_, variable);
    warps_.checkVariable(variable);
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr* launch) {
    if (function_.device) {
      reportNestedLaunch(unit_.facts, unit_.sources, launch->getBeginLoc(), nameOf(launch));
      return true;
    }
    const CallExpr* config = launch->getConfig();
    if (!config) return true;
    const unsigned count = config->getNumArgs();
    limits_.checkLaunch(launch->getBeginLoc(), nameOf(launch), count > 1 ? config->getArg(1) : nullptr,
                        count > 2 ? config->getArg(2) : nullptr);
    return true;
  }

 private:
  static std::string nameOf(const CUDAKernelCallExpr* launch) {
    if (const FunctionDecl* kernel = launch->getDirectCallee()) return kernel->getNameAsString();
    const auto* unresolved = dyn_cast<OverloadExpr>(launch->getCallee()->IgnoreImpCasts());
    return unresolved ? unresolved->getName().getAsString() : "launch";
  }

  // --- names --------------------------------------------------------------------------------------

  /// Notes whose the name at a place is, if the port changed it there.
  void name(SourceLocation place, const NamedDecl* declaration) {
    if (place.isInvalid() || !declaration) return;
    place = unit_.sources.getSpellingLoc(place);
    const std::size_t file = unit_.facts.fileOf(unit_.sources, place);
    if (file == SIZE_MAX) return;
    const std::uint32_t offset = unit_.sources.getFileOffset(place);
    const auto& names = unit_.facts.request.files[file].names;
    if (!std::binary_search(names.begin(), names.end(), offset)) return;
    const bool own = isOwn(declaration);
    if (own) {
      unit_.facts.sink.own({file, offset});
    } else {
      unit_.facts.sink.api({file, offset});
    }
  }

  /// Declared by the project first, and not as a stand-in for the API's.
  bool isOwn(const NamedDecl* declaration) {
    const auto* first = cast<NamedDecl>(declaration->getCanonicalDecl());
    if (unit_.facts.fileOf(unit_.sources, unit_.sources.getFileLoc(first->getLocation())) == SIZE_MAX)
      return false;
    if (const auto* function = dyn_cast<FunctionDecl>(first)) return !function->isExternC();
    return !isa<TypedefNameDecl>(first);
  }

  /// cc >= 80, 8 <= prop.major: what the port has told of itself is not told again (tool/run.cpp).
  void checkCapability(const BinaryOperator* comparison) {
    const auto left = constantOf(unit_.context, comparison->getLHS()),
               right = constantOf(unit_.context, comparison->getRHS());
    if (left.has_value() == right.has_value()) return;
    const std::int64_t number = left ? *left : *right;
    const Expr* other = left ? comparison->getRHS() : comparison->getLHS();
    if (number < 2 || number >= 2000 || !capabilities_.holds(other)) return;
    reportCapability(other, comparison->getOpcodeStr().str() + " " + std::to_string(number));
  }

  void reportCapability(const Expr* place, std::string subject) {
    unit_.report(unit_.sources.getFileLoc(place->getExprLoc()), "capability", std::move(subject),
                 "a compute capability by NVIDIA's numbering; MUSA's devices have 2.1, 2.2 and 3.1",
                 "compare with those, or ask for the feature by musaDeviceGetAttribute");
  }

  WalkedUnit unit_;
  CapabilityFlow capabilities_;
  WalkedFunction function_;
  WarpChecks warps_;
  LimitChecks limits_;
};

}  // namespace

void visitUnit(clang::ASTContext& context, UnitFacts& facts) { Visitor(context, facts).run(); }

}  // namespace musashim::translator
