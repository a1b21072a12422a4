// One walk over the project's own declarations. Each check is a few lines here; what the targets can do
// comes with the request.

#include "translator/semantic/visitor.h"

#include <algorithm>

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace musashim::translator {
namespace {

using namespace clang;

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

class Visitor : public RecursiveASTVisitor<Visitor> {
  using Base = RecursiveASTVisitor<Visitor>;

 public:
  Visitor(ASTContext& context, UnitFacts& facts)
      : context_(context), sources_(context.getSourceManager()), facts_(facts) {
    for (const SemanticTarget& target : facts.request.targets) {
      if (target.warp != 32) wide_.emplace_back(target.name);
    }
  }

  bool shouldVisitTemplateInstantiations() const { return false; }

  void run() {
    // Those of a prelude that clang never asked for are none of the project's.
    for (Decl* declaration : context_.getTranslationUnitDecl()->noload_decls()) {
      if (facts_.fileOf(sources_, sources_.getFileLoc(declaration->getLocation())) != SIZE_MAX)
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
    const Place outer = place_;
    place_ = {function, function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>(), 0, {}};
    if (function->hasAttr<CUDAGlobalAttr>()) checkBounds(function);
    const bool result = walk();
    checkShared();
    place_ = outer;
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

  // --- warps --------------------------------------------------------------------------------------

  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isComparisonOp()) checkCapability(operation);
    if (!place_.device || wide_.empty()) return true;
    const auto opcode = operation->getOpcode();
    const auto right = constant(operation->getRHS());
    if (!right) {
      if (operation->isShiftOp() || operation->isShiftAssignOp()) checkLaneMask(operation);
      return true;
    }
    if (const bool less = opcode == BO_LT || opcode == BO_GE, atMost = opcode == BO_LE || opcode == BO_GT;
        (less && *right == 32) || (atMost && *right == 31)) {
      if (isLane(operation->getLHS())) {
        warp(operation->getOperatorLoc(), operation->getOpcodeStr().str() + " " + std::to_string(*right),
             "tells a warp of 32 from the others");
      }
      return true;
    }
    const bool warps = ((opcode == BO_Div && *right == 32) || (opcode == BO_Shr && *right == 5)) &&
                       comesFrom(operation->getLHS(), {"blockdim"});
    if (!warps && !isThread(operation->getLHS())) return true;
    if (opcode == BO_AddAssign && *right == 32) {
      warp(operation->getOperatorLoc(), "+= 32", "steps by a warp of 32");
      return true;
    }
    const bool lanes =
        (opcode == BO_Rem || opcode == BO_RemAssign || opcode == BO_Div || opcode == BO_DivAssign) &&
        *right == 32;
    const bool mask = (opcode == BO_And || opcode == BO_AndAssign) && *right == 31;
    const bool shift = (opcode == BO_Shr || opcode == BO_ShrAssign) && *right == 5;
    if (!lanes && !mask && !shift) return true;
    warp(operation->getOperatorLoc(), operation->getOpcodeStr().str() + " " + std::to_string(*right),
         "splits threads into warps of 32");
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
    if (function == "musaFuncSetAttribute" || function == "muFuncSetAttribute") dynamicLimit(call);
    if ((function == "musaLaunchKernel" || function == "musaLaunchCooperativeKernel") && !place_.device &&
        call->getNumArgs() > 4)
      checkLaunch(call->getBeginLoc(), function.str(), call->getArg(2), call->getArg(4));
    if (!place_.device || wide_.empty()) return true;
    if (!isWarpFunction(function)) return true;
    place_.usesWarps = true;
    const unsigned count = call->getNumArgs();
    const auto mask = count > 0 ? initial(call->getArg(0)) : std::nullopt;
    if (mask && (*mask & 0xFFFFFFFFU) == 0xFFFFFFFFU) {
      warp(call->getArg(0)->getExprLoc(), "0xffffffff",
           "is the mask of a whole warp of 32 lanes for " + function.str());
    }
    if (function.starts_with("__shfl") && function.ends_with("_sync") && count == 4 &&
        !isa<CXXDefaultArgExpr>(call->getArg(3))) {
      const auto width = constant(call->getArg(3));
      if (width && *width == 32)
        warp(call->getArg(3)->getExprLoc(), "32", "is the width of a whole warp for " + function.str());
    }
    if (function == "__ballot_sync" || function == "__activemask") {
      warp(call->getExprLoc(), function.str(), "has a bit for each of 32 lanes");
    }
    return true;
  }

  bool VisitForStmt(ForStmt* loop) {
    if (!place_.device || wide_.empty() || !loop->getInit()) return true;
    const Expr* start = nullptr;
    if (const auto* declared = dyn_cast<DeclStmt>(loop->getInit()); declared && declared->isSingleDecl()) {
      if (const auto* variable = dyn_cast<VarDecl>(declared->getSingleDecl())) start = variable->getInit();
    }
    const auto value = start ? constant(start) : std::nullopt;
    if (value && *value == 16 && callsShuffle(loop->getBody()))
      warp(start->getExprLoc(), "16", "begins a reduction over 32 lanes");
    const auto* condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    if (condition && condition->getOpcode() == BO_LT && callsShuffle(loop->getBody())) {
      const auto end = constant(condition->getRHS());
      if (end && *end == 32)
        warp(condition->getRHS()->getExprLoc(), "32", "ends a loop of shuffles over 32 lanes");
    }
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    if (const auto* memory = variable->getAttr<CUDAConstantAttr>(); memory && !memory->isImplicit())
      constantVariable(variable);
    if (variable->hasAttr<CUDASharedAttr>() && !variable->hasExternalStorage()) sharedVariable(variable);
    const std::string lower = StringRef(variable->getNameAsString()).lower();
    const bool constantValue = variable->getType().isConstQualified() && variable->getInit() &&
                               variable->getType()->isIntegralOrEnumerationType();
    if (!wide_.empty() && constantValue && lower.find("warp") != std::string::npos) {
      const auto value = constant(variable->getInit());
      if (value && *value == 32) warp(variable->getLocation(), variable->getNameAsString(), "is 32");
    }
    return true;
  }

  // --- launches -----------------------------------------------------------------------------------

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr* launch) {
    if (place_.device) {
      reportNestedLaunch(facts_, sources_, launch->getBeginLoc(), nameOf(launch));
      return true;
    }
    const CallExpr* config = launch->getConfig();
    if (!config) return true;
    const unsigned count = config->getNumArgs();
    checkLaunch(launch->getBeginLoc(), nameOf(launch), count > 1 ? config->getArg(1) : nullptr,
                count > 2 ? config->getArg(2) : nullptr);
    return true;
  }

 private:
  struct Place {
    FunctionDecl* function = nullptr;
    bool device = false;
    std::uint64_t shared = 0;
    std::vector<VarDecl*> laneArrays;
    bool usesWarps = false;
  };

  static bool isWarpFunction(StringRef name) {
    for (const char* prefix :
         {"__shfl", "__ballot", "__any", "__all", "__syncwarp", "__reduce_", "__match_", "__activemask"}) {
      if (name.starts_with(prefix)) return true;
    }
    return false;
  }

  static std::string nameOf(const CUDAKernelCallExpr* launch) {
    if (const FunctionDecl* kernel = launch->getDirectCallee()) return kernel->getNameAsString();
    const auto* unresolved = dyn_cast<OverloadExpr>(launch->getCallee()->IgnoreImpCasts());
    return unresolved ? unresolved->getName().getAsString() : "launch";
  }

  std::optional<std::int64_t> constant(const Expr* expression) const {
    if (!expression || expression->isValueDependent() || expression->containsErrors()) return std::nullopt;
    if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
    Expr::EvalResult result;
    if (!expression->EvaluateAsInt(result, context_)) return std::nullopt;
    const llvm::APSInt& value = result.Val.getInt();
    if (!value.isRepresentableByInt64()) return std::nullopt;
    return value.getExtValue();
  }

  /// The value, or what a variable of the function began with.
  std::optional<std::int64_t> initial(const Expr* expression) const {
    if (const auto value = constant(expression)) return value;
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->isLocalVarDecl() ? constant(variable->getInit()) : std::nullopt;
  }

  /// threadIdx.x itself, or a variable that is called like one.
  static bool isLane(const Expr* expression) {
    for (const Expr* inner = nullptr; expression != inner;) {
      inner = expression = expression->IgnoreParenImpCasts();
      if (const auto* pseudo = dyn_cast<PseudoObjectExpr>(expression))
        expression = pseudo->getSyntacticForm();
      if (const auto* property = dyn_cast<MSPropertyRefExpr>(expression))
        expression = property->getBaseExpr();
      if (const auto* opaque = dyn_cast<OpaqueValueExpr>(expression)) expression = opaque->getSourceExpr();
      if (const auto* member = dyn_cast<MemberExpr>(expression)) expression = member->getBase();
      if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression))
        expression = call->getImplicitObjectArgument();
    }
    const auto* reference = dyn_cast<DeclRefExpr>(expression);
    if (!reference) return false;
    const std::string name = StringRef(reference->getDecl()->getNameAsString()).lower();
    return name == "tid" || name == "threadidx" || name.find("lane") != std::string::npos;
  }

  /// `1u << lane`, `0xffffffff >> (31 - lane)`, `(ballot >> lane) & 1`: a bit for each lane.
  void checkLaneMask(const BinaryOperator* shift) {
    if (!isLaneNumber(shift->getRHS())) return;
    const QualType type = shift->isShiftAssignOp() ? shift->getLHS()->getType() : shift->getType();
    if (type->isDependentType() || !type->isIntegralOrEnumerationType()) return;
    warp(shift->getOperatorLoc(), shift->getOpcodeStr().str() + " lane",
         "shifts " + std::to_string(context_.getIntWidth(type)) + " bits by the number of a lane",
         "compare the numbers of lanes instead of their bits, or compile this for mp_31 only");
  }

  /// A lane's number as it is, or so much more or less: what is cut off to fewer bits is none.
  bool isLaneNumber(const Expr* expression, int depth = 0) const {
    expression = expression->IgnoreParenImpCasts();
    if (depth > 8) return false;
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression))
      return isLaneNumber(cast->getSubExpr(), depth + 1);
    if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
      const Expr *left = operation->getLHS(), *right = operation->getRHS();
      const auto number = constant(right);
      const auto opcode = operation->getOpcode();
      if (opcode == BO_Add || opcode == BO_Sub)
        return (number && isLaneNumber(left, depth + 1)) ||
               (constant(left) && isLaneNumber(right, depth + 1));
      const bool ofWarp = (opcode == BO_And && number == 31) || (opcode == BO_Rem && number == 32) ||
                          (opcode == BO_Rem && comesFrom(right, {"warpsize", "warp_size"}));
      return ofWarp && isThread(left);
    }
    const auto* reference = dyn_cast<DeclRefExpr>(expression);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable) return false;
    if (variable->isLocalVarDecl() && variable->getInit()) {
      const auto* operation = dyn_cast<BinaryOperator>(variable->getInit()->IgnoreParenImpCasts());
      if (operation) return isLaneNumber(operation, depth + 1);
    }
    return isLane(expression) && StringRef(variable->getName()).lower().find("lane") != std::string::npos;
  }

  /// Does the value come from threadIdx, or from a variable that does, or is called so?
  bool isThread(const Stmt* statement) const {
    return comesFrom(statement, {"threadidx", "lane", "tid", "thread", "warp"});
  }

  /// Does a name in it, or in what its variables began with, hold one of the parts?
  bool comesFrom(const Stmt* statement, std::initializer_list<const char*> parts, int depth = 0) const {
    if (!statement || depth > 12) return false;
    if (const auto* opaque = dyn_cast<OpaqueValueExpr>(statement))
      return comesFrom(opaque->getSourceExpr(), parts, depth + 1);
    if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
      const ValueDecl* declaration = reference->getDecl();
      const std::string name = StringRef(declaration->getNameAsString()).lower();
      for (const char* part : parts) {
        if (name.find(part) != std::string::npos) return true;
      }
      if (const auto* variable = dyn_cast<VarDecl>(declaration);
          variable && variable->isLocalVarDecl() && variable->getInit()) {
        return comesFrom(variable->getInit(), parts, depth + 4);
      }
      return false;
    }
    return std::any_of(statement->child_begin(), statement->child_end(),
                       [&](const Stmt* child) { return comesFrom(child, parts, depth + 1); });
  }

  bool callsShuffle(const Stmt* statement) const {
    if (!statement) return false;
    if (const auto* call = dyn_cast<CallExpr>(statement)) {
      const FunctionDecl* callee = call->getDirectCallee();
      if (callee && callee->getIdentifier() && callee->getName().starts_with("__shfl")) return true;
      if (const auto* unresolved = dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreImpCasts())) {
        if (StringRef(unresolved->getName().getAsString()).starts_with("__shfl")) return true;
      }
    }
    return std::any_of(statement->child_begin(), statement->child_end(),
                       [&](const Stmt* child) { return callsShuffle(child); });
  }

  void warp(SourceLocation place, const std::string& subject, const std::string& what,
            const std::string& remedy = "use warpSize, or compile this for mp_31 only") {
    facts_.report(sources_, place, "warp", subject, what + ", but " + listed(wide_) + " have 128", remedy);
  }

  // --- names --------------------------------------------------------------------------------------

  /// Notes whose the name at a place is, if the port changed it there.
  void name(SourceLocation place, const NamedDecl* declaration) {
    if (place.isInvalid() || !declaration) return;
    place = sources_.getSpellingLoc(place);
    const std::size_t file = facts_.fileOf(sources_, place);
    if (file == SIZE_MAX) return;
    const std::uint32_t offset = sources_.getFileOffset(place);
    const auto& names = facts_.request.files[file].names;
    if (!std::binary_search(names.begin(), names.end(), offset)) return;
    const bool own = isOwn(declaration);
    if (own) {
      facts_.sink.own({file, offset});
    } else {
      facts_.sink.api({file, offset});
    }
  }

  /// Declared by the project first, and not as a stand-in for the API's.
  bool isOwn(const NamedDecl* declaration) {
    const auto* first = cast<NamedDecl>(declaration->getCanonicalDecl());
    if (facts_.fileOf(sources_, sources_.getFileLoc(first->getLocation())) == SIZE_MAX) return false;
    if (const auto* function = dyn_cast<FunctionDecl>(first)) return !function->isExternC();
    return !isa<TypedefNameDecl>(first);
  }

  // --- compute capability -------------------------------------------------------------------------

  /// prop.major >= 8 where the source's own words do not tell what prop is: there, the port has spoken.
  void checkCapability(const BinaryOperator* comparison) {
    const auto left = constant(comparison->getLHS()), right = constant(comparison->getRHS());
    if (left.has_value() == right.has_value()) return;
    const std::int64_t number = left ? *left : *right;
    const Expr* other = left ? comparison->getRHS() : comparison->getLHS();
    if (number < 2 || number >= 2000 || !isCapability(other)) return;
    const SourceLocation place = sources_.getFileLoc(other->getExprLoc());
    const std::size_t file = facts_.fileOf(sources_, place);
    if (file == SIZE_MAX) return;
    const std::string_view text = facts_.request.files[file].text;
    for (const char* word : {"musaDeviceProp", "musaGetDeviceProperties"}) {
      if (text.find(word) != std::string_view::npos) return;
    }
    facts_.report(sources_, place, "capability",
                  comparison->getOpcodeStr().str() + " " + std::to_string(number),
                  "a compute capability by NVIDIA's numbering; MUSA's devices have 2.1, 2.2 and 3.1",
                  "compare with those, or ask for the feature by musaDeviceGetAttribute");
  }

  /// A sum or product of `major` and `minor` of musaDeviceProp, or a variable that began as one.
  bool isCapability(const Stmt* statement, int depth = 0) const {
    if (!statement || depth > 12 || isa<CallExpr>(statement)) return false;
    if (const auto* member = dyn_cast<MemberExpr>(statement)) {
      const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (!field || (field->getName() != "major" && field->getName() != "minor")) return false;
      return field->getParent()->getName() == "musaDeviceProp";
    }
    if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
      const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
      return variable && variable->isLocalVarDecl() && isCapability(variable->getInit(), depth + 4);
    }
    return std::any_of(statement->child_begin(), statement->child_end(),
                       [&](const Stmt* child) { return isCapability(child, depth + 1); });
  }

  // --- shared memory and bounds -------------------------------------------------------------------

  /// What <<<>>> and musaLaunchKernel are given; null: not said.
  void checkLaunch(SourceLocation place, const std::string& kernel, const Expr* block, const Expr* shared) {
    const auto threads = block ? blockSize(block) : std::nullopt;
    if (threads && *threads > 1024) {
      facts_.report(sources_, place, "launch", kernel,
                    "a block of " + std::to_string(*threads) + " threads; every target has 1024 at most",
                    "use smaller blocks");
    } else if (threads && !wide_.empty() && *threads % 128 != 0) {
      facts_.report(sources_, place, "launch", kernel,
                    "a block of " + std::to_string(*threads) + " threads leaves lanes idle on " +
                        listed(wide_) + " (128 lanes a warp)",
                    "use a multiple of 128 threads there");
    }
    const auto dynamic = shared ? constant(shared) : std::nullopt;
    if (dynamic && *dynamic > 0)
      overLimit(place, kernel, static_cast<std::uint64_t>(*dynamic), "dynamic shared memory");
  }

  void sharedVariable(VarDecl* variable) {
    const QualType type = variable->getType();
    if (type->isDependentType() || type->isIncompleteType()) return;
    place_.shared += static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    for (const auto* array = context_.getAsConstantArrayType(type); array;
         array = context_.getAsConstantArrayType(array->getElementType())) {
      if (array->getSize() == 32) {
        place_.laneArrays.push_back(variable);
        break;
      }
    }
  }

  /// What is declared here counts, whatever other modules define.
  void constantVariable(const VarDecl* variable) {
    const QualType type = variable->getType();
    if (variable->hasExternalStorage() || type->isDependentType() || type->isIncompleteType()) return;
    const auto bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    const bool fits = constant_ <= kConstantBytes;
    constant_ += bytes;
    if (!fits || constant_ <= kConstantBytes) return;
    facts_.report(sources_, variable->getLocation(), "constant-memory", variable->getNameAsString(),
                  std::to_string(constant_) +
                      " bytes of __constant__ variables up to here are more than the " +
                      std::to_string(kConstantBytes) + " that a module may have",
                  "make large tables `__device__ const`, or copy what a launch needs");
  }

  void checkShared() {
    if (!place_.function || !place_.device) return;
    if (place_.shared > 0)
      overLimit(place_.function->getLocation(), place_.function->getNameAsString(), place_.shared,
                "shared variables");
    if (!place_.usesWarps || wide_.empty()) return;
    for (const VarDecl* variable : place_.laneArrays) {
      warp(variable->getLocation(), variable->getNameAsString(),
           "has 32 elements beside warp functions: one for each lane, or for each of 32 warps");
    }
  }

  /// musaFuncSetAttribute(kernel, musaFuncAttributeMaxDynamicSharedMemorySize, BYTES)
  void dynamicLimit(const CallExpr* call) {
    if (call->getNumArgs() != 3) return;
    const auto* attribute = dyn_cast<DeclRefExpr>(call->getArg(1)->IgnoreParenImpCasts());
    const auto* named = attribute ? dyn_cast<EnumConstantDecl>(attribute->getDecl()) : nullptr;
    if (!named || (named->getName() != "musaFuncAttributeMaxDynamicSharedMemorySize" &&
                   named->getName() != "MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"))
      return;
    const auto bytes = constant(call->getArg(2));
    if (bytes && *bytes > 0) {
      overLimit(call->getBeginLoc(), named->getNameAsString(), static_cast<std::uint64_t>(*bytes),
                "dynamic shared memory");
    }
  }

  void overLimit(SourceLocation place, const std::string& subject, std::uint64_t bytes,
                 const std::string& of) {
    std::vector<std::string> small;
    for (const SemanticTarget& target : facts_.request.targets) {
      if (bytes > target.shared)
        small.push_back(std::string(target.name) + " (" + std::to_string(target.shared) + ")");
    }
    if (small.empty()) return;
    facts_.report(
        sources_, place, "shared-memory", subject,
        std::to_string(bytes) + " bytes of " + of + " are more than a block has on " + listed(small),
        "use smaller tiles there");
  }

  void checkBounds(FunctionDecl* kernel) {
    const auto* bounds = kernel->getAttr<CUDALaunchBoundsAttr>();
    if (!bounds) return;
    const auto threads = constant(bounds->getMaxThreads());
    const auto blocks = bounds->getMinBlocks() ? constant(bounds->getMinBlocks()) : std::nullopt;
    if (threads && *threads > 1024) {
      facts_.report(sources_, bounds->getLocation(), "launch", "__launch_bounds__",
                    std::to_string(*threads) + " threads a block; every target has 1024 at most",
                    "use smaller blocks");
    }
    if (!threads || !blocks) return;
    std::vector<std::string> small;
    for (const SemanticTarget& target : facts_.request.targets) {
      if (*threads * *blocks > static_cast<std::int64_t>(target.threads)) small.emplace_back(target.name);
    }
    if (!small.empty()) {
      facts_.report(sources_, bounds->getLocation(), "launch", "__launch_bounds__",
                    std::to_string(*blocks) + " blocks of " + std::to_string(*threads) +
                        " threads do not fit on a multiprocessor of " + listed(small),
                    "ask for fewer blocks");
    }
  }

  /// Threads of a block in <<<grid, HERE>>>: an integer, or dim3 of constants.
  std::optional<std::int64_t> blockSize(const Expr* expression) const {
    expression = expression->IgnoreImplicit();
    if (const auto value = constant(expression)) return value;
    if (const auto* functional = dyn_cast<CXXFunctionalCastExpr>(expression))
      return blockSize(functional->getSubExpr());
    const auto* construct = dyn_cast<CXXConstructExpr>(expression);
    if (!construct) return std::nullopt;
    if (const auto* record = construct->getConstructor()->getParent();
        !record->getIdentifier() || record->getName() != "dim3")
      return std::nullopt;
    if (construct->getNumArgs() == 1 && construct->getConstructor()->isCopyOrMoveConstructor()) {
      const auto* reference = dyn_cast<DeclRefExpr>(construct->getArg(0)->IgnoreImplicit());
      const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      const bool settled =
          variable && (variable->getType().isConstQualified() || variable->getType()->isRecordType());
      return settled && variable->getInit() && variable->getType().isConstQualified()
                 ? blockSize(variable->getInit())
                 : std::nullopt;
    }
    std::int64_t product = 1;
    for (const Expr* argument : construct->arguments()) {
      const auto value = constant(
          isa<CXXDefaultArgExpr>(argument) ? cast<CXXDefaultArgExpr>(argument)->getExpr() : argument);
      if (!value) return std::nullopt;
      product *= *value;
    }
    return product;
  }

  ASTContext& context_;
  const SourceManager& sources_;
  UnitFacts& facts_;
  Place place_;
  /// What a module may have by CUDA's guide. (An S5000 says 8192; whether more fails there is not known.)
  static constexpr std::uint64_t kConstantBytes = std::uint64_t{64} << 10;

  std::uint64_t constant_ = 0;     // bytes of __constant__ variables so far
  std::vector<std::string> wide_;  // targets whose warps are not 32 lanes
};

}  // namespace

void visitUnit(clang::ASTContext& context, UnitFacts& facts) { Visitor(context, facts).run(); }

}  // namespace musashim::translator
