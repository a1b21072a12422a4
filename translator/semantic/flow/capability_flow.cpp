#include "translator/semantic/flow/capability_flow.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace musashim::translator {
namespace {

using namespace clang;

/// One for all declarations of a variable, a member or a function, and for the instances of a template.
const Decl* keyOf(const Decl* declaration) {
  const auto patternOf = [](const FunctionDecl* function) {
    const FunctionDecl* pattern = function->getTemplateInstantiationPattern();
    return (pattern ? pattern : function)->getCanonicalDecl();
  };
  if (const auto* function = dyn_cast_or_null<FunctionDecl>(declaration)) return patternOf(function);
  const auto* parameter = dyn_cast_or_null<ParmVarDecl>(declaration);
  const auto* function = parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  if (!function) return declaration ? declaration->getCanonicalDecl() : nullptr;
  const unsigned index = parameter->getFunctionScopeIndex();
  const FunctionDecl* first = patternOf(function);
  return index < first->getNumParams() ? first->getParamDecl(index) : parameter;
}

bool isMemberOf(const FieldDecl* field, StringRef record, std::initializer_list<const char*> names) {
  return field->getParent()->getName() == record &&
         std::any_of(names.begin(), names.end(), [&](const char* name) { return field->getName() == name; });
}

bool tellsCapability(const FieldDecl* field) {
  return isMemberOf(field, "musaDeviceProp", {"major", "minor"}) ||
         isMemberOf(field, "musaFuncAttributes", {"ptxVersion", "binaryVersion"});
}

bool isCapabilityAttribute(const Expr* argument) {
  static constexpr std::array<StringRef, 4> kNames = {
      "musaDevAttrComputeCapabilityMajor", "musaDevAttrComputeCapabilityMinor",
      "MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", "MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR"};
  const auto* reference = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
  return reference && reference->getDecl()->getIdentifier() &&
         std::find(kNames.begin(), kNames.end(), reference->getDecl()->getName()) != kNames.end();
}

/// What an expression names: a variable or a member; null for others.
const Decl* namedBy(const Expr* expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto* address = dyn_cast<UnaryOperator>(expression); address && address->getOpcode() == UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) return keyOf(reference->getDecl());
  if (const auto* member = dyn_cast<MemberExpr>(expression)) return keyOf(member->getMemberDecl());
  return nullptr;
}

/// Everything that gives a value to something.
class Gifts : public RecursiveASTVisitor<Gifts> {
  using Base = RecursiveASTVisitor<Gifts>;

 public:
  std::vector<std::pair<const Decl*, const Expr*>> gifts;
  std::set<const Decl*> told;  // by a call of the API

  bool VisitVarDecl(VarDecl* variable) {
    if (variable->getInit()) give(keyOf(variable), variable->getInit());
    return true;
  }
  bool VisitFieldDecl(FieldDecl* field) {
    if (field->hasInClassInitializer()) give(keyOf(field), field->getInClassInitializer());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isAssignmentOp()) give(namedBy(operation->getLHS()), operation->getRHS());
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* function = call->getDirectCallee();
    if (!function) return true;
    if (function->getIdentifier()) tell(call, function->getName());
    // An operator's object is an argument, but no parameter.
    const unsigned first = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(function) ? 1 : 0;
    for (unsigned i = first; i < call->getNumArgs(); ++i) pass(function, i - first, call->getArg(i));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* object) {
    for (unsigned i = 0; i < object->getNumArgs(); ++i) pass(object->getConstructor(), i, object->getArg(i));
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer* initializer) {
    if (initializer->getAnyMember() && initializer->getInit())
      give(keyOf(initializer->getAnyMember()), initializer->getInit());
    return Base::TraverseConstructorInitializer(initializer);
  }
  bool TraverseFunctionDecl(FunctionDecl* function) {
    return inside(function, [&] { return Base::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) {
    return inside(function, [&] { return Base::TraverseCXXMethodDecl(function); });
  }
  bool VisitReturnStmt(ReturnStmt* statement) {
    if (function_ && statement->getRetValue()) give(keyOf(function_), statement->getRetValue());
    return true;
  }

 private:
  template <class Walk>
  bool inside(FunctionDecl* function, Walk walk) {
    const FunctionDecl* outer = std::exchange(function_, function);
    const bool result = walk();
    function_ = outer;
    return result;
  }

  void give(const Decl* target, const Expr* value) {
    if (target && value) gifts.emplace_back(target, value);
  }

  void pass(const FunctionDecl* function, unsigned place, const Expr* value) {
    if (place < function->getNumParams()) give(keyOf(function->getParamDecl(place)), value);
  }

  /// musaDeviceGetAttribute(&x, ...), muDeviceComputeCapability(&x, &y, device).
  void tell(const CallExpr* call, StringRef function) {
    const bool asks = (function == "musaDeviceGetAttribute" || function == "muDeviceGetAttribute") &&
                      call->getNumArgs() > 1 && isCapabilityAttribute(call->getArg(1));
    const unsigned count = asks ? 1 : function == "muDeviceComputeCapability" ? 2 : 0;
    for (unsigned i = 0; i < std::min(count, call->getNumArgs()); ++i) {
      if (const Decl* named = namedBy(call->getArg(i))) told.insert(named);
    }
  }

  const FunctionDecl* function_ = nullptr;
};

}  // namespace

CapabilityFlow::CapabilityFlow(ASTContext& context, UnitFacts& facts) {
  const SourceManager& sources = context.getSourceManager();
  Gifts found;
  for (Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) {
    if (facts.fileOf(sources, sources.getFileLoc(declaration->getLocation())) != SIZE_MAX)
      found.TraverseDecl(declaration);
  }
  holders_ = std::move(found.told);
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [target, value] : found.gifts) {
      if (!holders_.contains(target) && holds(value)) grew = holders_.insert(target).second || grew;
    }
  }
}

bool CapabilityFlow::holds(const Expr* expression) const {
  if (!expression) return false;
  expression = expression->IgnoreParenCasts();
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return field && (tellsCapability(field) || holders_.contains(keyOf(field)));
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression))
    return holders_.contains(keyOf(reference->getDecl()));
  if (const auto* call = dyn_cast<CallExpr>(expression)) {
    const FunctionDecl* function = call->getDirectCallee();
    return function && holders_.contains(keyOf(function));
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->isComparisonOp() || operation->isLogicalOp()) return false;
    const bool last = operation->isAssignmentOp() || operation->isCommaOp();
    return holds(operation->getRHS()) || (!last && holds(operation->getLHS()));
  }
  if (const auto* choice = dyn_cast<ConditionalOperator>(expression))
    return holds(choice->getTrueExpr()) || holds(choice->getFalseExpr());
  if (const auto* list = dyn_cast<InitListExpr>(expression))
    return list->getNumInits() == 1 && holds(list->getInit(0));
  return false;
}

}  // namespace musashim::translator
