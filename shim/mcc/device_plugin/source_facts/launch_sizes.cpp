#include "launch_sizes.h"

#include <algorithm>
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"

namespace musashim::mcc {
namespace {

using namespace clang;

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kDepth = 8;  // of variables that stand for others

const Expr* initializerOf(const Expr& expression) {
  const auto* reference = dyn_cast<DeclRefExpr>(expression.IgnoreParenImpCasts());
  const auto* variable = reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
  return variable == nullptr ? nullptr : variable->getAnyInitializer();
}

// A variable's first value will do: it is a hint.
std::optional<uint32_t> number(const ASTContext& context, const Expr* expression, unsigned depth) {
  if (expression == nullptr || depth == 0 || expression->isInstantiationDependent()) return std::nullopt;
  Expr::EvalResult result;
  if (expression->getType()->isIntegralOrEnumerationType() && expression->EvaluateAsInt(result, context)) {
    const llvm::APSInt& value = result.Val.getInt();
    if (value.isStrictlyPositive() && value <= kMostThreads)
      return static_cast<uint32_t>(value.getExtValue());
    return std::nullopt;
  }
  if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expression))
    return number(context, argument->getExpr(), depth - 1);
  return number(context, initializerOf(*expression), depth - 1);
}

// The value of a dim3.
std::optional<BlockSize> blockSize(const ASTContext& context, const Expr* expression, unsigned depth) {
  if (expression == nullptr || depth == 0) return std::nullopt;
  expression = expression->IgnoreUnlessSpelledInSource();
  // A template's own expressions may have no type yet; those of its instances do.
  if (expression->isInstantiationDependent()) return std::nullopt;
  if (const auto* made = dyn_cast<CXXConstructExpr>(expression)) {
    if (made->getNumArgs() == 1) return blockSize(context, made->getArg(0), depth - 1);
    if (made->getNumArgs() != 3) return std::nullopt;
    BlockSize size{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      const auto length = number(context, made->getArg(axis), depth);
      if (!length) return std::nullopt;
      size[axis] = *length;
    }
    return size;
  }
  if (expression->getType()->isIntegralOrEnumerationType()) {
    const auto length = number(context, expression, depth);
    return length ? std::optional<BlockSize>({*length, 1, 1}) : std::nullopt;
  }
  return blockSize(context, initializerOf(*expression), depth - 1);
}

}  // namespace

LaunchSizes& LaunchSizes::instance() {
  static thread_local LaunchSizes sizes;
  return sizes;
}

void LaunchSizes::note(ASTContext& context, const CUDAKernelCallExpr& launch) {
  const FunctionDecl* kernel = launch.getDirectCallee();
  const CallExpr* configuration = launch.getConfig();
  if (kernel == nullptr || kernel->isTemplated() || configuration->getNumArgs() < 2) return;
  const auto size = blockSize(context, configuration->getArg(1), kDepth);
  if (!size || (*size)[0] * (*size)[1] * (*size)[2] > kMostThreads) return;
  add(ASTNameGenerator(context).getName(kernel), *size);
}

void LaunchSizes::add(const std::string& kernel, const BlockSize& size) {
  std::vector<BlockSize>& known = sizes_[kernel];
  if (std::find(known.begin(), known.end(), size) == known.end()) known.push_back(size);
}

void LaunchSizes::write(llvm::raw_ostream& out) const {
  for (const auto& [kernel, sizes] : sizes_) {
    for (const BlockSize& size : sizes)
      out << size[0] << ' ' << size[1] << ' ' << size[2] << ' ' << kernel << '\n';
  }
}

const std::vector<BlockSize>& LaunchSizes::of(llvm::StringRef kernel) const {
  static const std::vector<BlockSize> none;
  const auto found = sizes_.find(kernel.str());
  return found == sizes_.end() ? none : found->second;
}

}  // namespace musashim::mcc
