#include "launch_syntax.h"

#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"
#include "device_diagnostics.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;

// The parser makes an expression of the kernel's name once it has read the `<<<` behind it
// and before it reads on. Meanwhile the name counts as unevaluated, as in sizeof: clang then
// does not ask who may call the function. Kernels need no mark of use: all are compiled.
class LaunchSyntax {
 public:
  explicit LaunchSyntax(CompilerInstance& compiler) : compiler_(compiler) {}

  void see(const Token& token) {
    if (isOpen_) close();
    if (token.is(tok::lesslessless) && inDeviceFunction()) open();
    previous_ = token.getLocation();
  }

 private:
  bool inDeviceFunction() const {
    if (!compiler_.hasSema()) return false;
    const FunctionDecl* function = compiler_.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
    return function != nullptr &&
           (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>());
  }

  void open() {
    auto& record = compiler_.getSema().ExprEvalContexts.back();
    depth_ = compiler_.getSema().ExprEvalContexts.size();
    context_ = record.Context;
    record.Context = Sema::ExpressionEvaluationContext::Unevaluated;
    isOpen_ = true;
    DeviceDiagnostics::of(compiler_.getDiagnostics()).allowLaunchAt(previous_);
  }

  void close() {
    auto& contexts = compiler_.getSema().ExprEvalContexts;
    if (contexts.size() >= depth_) contexts[depth_ - 1].Context = context_;
    isOpen_ = false;
  }

  CompilerInstance& compiler_;
  SourceLocation previous_;
  bool isOpen_ = false;
  size_t depth_ = 0;
  Sema::ExpressionEvaluationContext context_{};
};

}  // namespace

void acceptDeviceLaunches(CompilerInstance& compiler) {
  auto syntax = std::make_shared<LaunchSyntax>(compiler);
  watchTokens(compiler.getPreprocessor(), [syntax](const Token& token) { syntax->see(token); });
}

}  // namespace musashim::mcc
