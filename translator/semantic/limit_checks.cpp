#include "translator/semantic/limit_checks.h"

#include <optional>
#include <string>
#include <vector>

#include "clang/AST/Attr.h"
#include "translator/semantic/expressions.h"

namespace musashim::translator {
namespace {

using namespace clang;

/// What a module may have by CUDA's guide. (An S5000 says 8192; whether more fails there is not known.)
constexpr std::uint64_t kConstantBytes = std::uint64_t{64} << 10;

std::uint64_t bytesOf(const ASTContext& context, QualType type) {
  return static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity());
}

}  // namespace

void LimitChecks::checkLaunch(SourceLocation place, const std::string& kernel, const Expr* block,
                              const Expr* shared) const {
  const auto threads = block ? blockSizeOf(unit_.context, block) : std::nullopt;
  if (threads && *threads > 1024) {
    unit_.report(place, "launch", kernel,
                 "a block of " + std::to_string(*threads) + " threads; every target has 1024 at most",
                 "use smaller blocks");
  } else if (threads && !unit_.wide.empty() && *threads % 128 != 0) {
    unit_.report(place, "launch", kernel,
                 "a block of " + std::to_string(*threads) + " threads leaves lanes idle on " +
                     listed(unit_.wide) + " (128 lanes a warp)",
                 "use a multiple of 128 threads there");
  }
  const auto dynamic = shared ? constantOf(unit_.context, shared) : std::nullopt;
  if (dynamic && *dynamic > 0)
    checkShared(place, kernel, static_cast<std::uint64_t>(*dynamic), "dynamic shared memory");
}

void LimitChecks::checkDynamicLimit(const CallExpr* call) const {
  if (call->getNumArgs() != 3) return;
  const auto* attribute = dyn_cast<DeclRefExpr>(call->getArg(1)->IgnoreParenImpCasts());
  const auto* named = attribute ? dyn_cast<EnumConstantDecl>(attribute->getDecl()) : nullptr;
  if (!named || (named->getName() != "musaFuncAttributeMaxDynamicSharedMemorySize" &&
                 named->getName() != "MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"))
    return;
  const auto bytes = constantOf(unit_.context, call->getArg(2));
  if (bytes && *bytes > 0) {
    checkShared(call->getBeginLoc(), named->getNameAsString(), static_cast<std::uint64_t>(*bytes),
                "dynamic shared memory");
  }
}

void LimitChecks::checkBounds(const FunctionDecl* kernel) const {
  const auto* bounds = kernel->getAttr<CUDALaunchBoundsAttr>();
  if (!bounds) return;
  const auto threads = constantOf(unit_.context, bounds->getMaxThreads());
  const auto blocks =
      bounds->getMinBlocks() ? constantOf(unit_.context, bounds->getMinBlocks()) : std::nullopt;
  if (threads && *threads > 1024) {
    unit_.report(bounds->getLocation(), "launch", "__launch_bounds__",
                 std::to_string(*threads) + " threads a block; every target has 1024 at most",
                 "use smaller blocks");
  }
  if (!threads || !blocks) return;
  std::vector<std::string> small;
  for (const SemanticTarget& target : unit_.facts.request.targets) {
    if (*threads * *blocks > static_cast<std::int64_t>(target.threads)) small.emplace_back(target.name);
  }
  if (!small.empty()) {
    unit_.report(bounds->getLocation(), "launch", "__launch_bounds__",
                 std::to_string(*blocks) + " blocks of " + std::to_string(*threads) +
                     " threads do not fit on a multiprocessor of " + listed(small),
                 "ask for fewer blocks");
  }
}

void LimitChecks::checkVariable(WalkedFunction& function, VarDecl* variable) {
  if (const auto* memory = variable->getAttr<CUDAConstantAttr>(); memory && !memory->isImplicit())
    addConstant(variable);
  if (variable->hasAttr<CUDASharedAttr>() && !variable->hasExternalStorage()) addShared(function, variable);
}

void LimitChecks::addShared(WalkedFunction& function, VarDecl* variable) const {
  const QualType type = variable->getType();
  if (type->isDependentType() || type->isIncompleteType()) return;
  function.shared += bytesOf(unit_.context, type);
  for (const auto* array = unit_.context.getAsConstantArrayType(type); array;
       array = unit_.context.getAsConstantArrayType(array->getElementType())) {
    if (array->getSize() == 32) {
      function.laneArrays.push_back(variable);
      break;
    }
  }
}

/// What is declared here counts, whatever other modules define.
void LimitChecks::addConstant(const VarDecl* variable) {
  const QualType type = variable->getType();
  if (variable->hasExternalStorage() || type->isDependentType() || type->isIncompleteType()) return;
  const bool fits = constant_ <= kConstantBytes;
  constant_ += bytesOf(unit_.context, type);
  if (!fits || constant_ <= kConstantBytes) return;
  unit_.report(variable->getLocation(), "constant-memory", variable->getNameAsString(),
               std::to_string(constant_) + " bytes of __constant__ variables up to here are more than the " +
                   std::to_string(kConstantBytes) + " that a module may have",
               "make large tables `__device__ const`, or copy what a launch needs");
}

void LimitChecks::checkFunction(const WalkedFunction& function) const {
  if (!function.function || !function.device || function.shared == 0) return;
  checkShared(function.function->getLocation(), function.function->getNameAsString(), function.shared,
              "shared variables");
}

void LimitChecks::checkShared(SourceLocation place, const std::string& subject, std::uint64_t bytes,
                              const std::string& of) const {
  std::vector<std::string> small;
  for (const SemanticTarget& target : unit_.facts.request.targets) {
    if (bytes > target.shared)
      small.push_back(std::string(target.name) + " (" + std::to_string(target.shared) + ")");
  }
  if (small.empty()) return;
  unit_.report(place, "shared-memory", subject,
               std::to_string(bytes) + " bytes of " + of + " are more than a block has on " + listed(small),
               "use smaller tiles there");
}

}  // namespace musashim::translator
