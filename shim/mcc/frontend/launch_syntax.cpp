#include "launch_syntax.h"

#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"
#include "device_calls.h"
#include "device_diagnostics.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;

// The parser makes an expression of the kernel's name once it has read the `<<<` behind it and before it
// reads on: from here on, the name may stand there. Kernel templates are seen when their arguments are
// deduced (device_calls.cpp).
class LaunchSyntax {
 public:
  explicit LaunchSyntax(CompilerInstance& compiler) : compiler_(compiler) {}

  void see(const Token& token) {
    if (token.is(tok::lesslessless) && compiler_.hasSema()) {
      FunctionDecl* caller = currentFunction();
      if (caller != nullptr && (caller->hasAttr<CUDADeviceAttr>() || caller->hasAttr<CUDAGlobalAttr>()))
        allow(*caller);
    } else if (launching_ != nullptr && token.is(tok::semi) && parsedFunction() == launching_) {
      launching_->setImplicit(false);
      launching_ = nullptr;
    }
    previous_ = token.getLocation();
  }

 private:
  // Bodies of functions that are defined inside of a class are parsed when the class is complete, but read
  // now.
  FunctionDecl* currentFunction() const {
    Sema& sema = compiler_.getSema();
    const auto* record = dyn_cast<CXXRecordDecl>(sema.CurContext);
    if (record == nullptr) return parsedFunction();
    FunctionDecl* last = nullptr;
    for (Decl* member : record->decls()) {
      if (auto* function = dyn_cast_or_null<FunctionDecl>(member->getAsFunction())) last = function;
    }
    return last;
  }

  FunctionDecl* parsedFunction() const {
    return compiler_.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
  }

  void allow(FunctionDecl& caller) {
    if (!caller.isImplicit() && parsedFunction() == &caller) launching_ = &caller;
    allowLaunch(compiler_.getSema(), caller, previous_);
    if (isDevicePass_) DeviceDiagnostics::of(compiler_.getDiagnostics()).allowLaunchAt(previous_);
  }

  CompilerInstance& compiler_;
  const bool isDevicePass_ = compiler_.getLangOpts().CUDAIsDevice;
  SourceLocation previous_;
  FunctionDecl* launching_ = nullptr;  // to the end of the statement
};

}  // namespace

void acceptDeviceLaunches(CompilerInstance& compiler) {
  auto syntax = std::make_shared<LaunchSyntax>(compiler);
  watchTokens(compiler.getPreprocessor(), [syntax](const Token& token) { syntax->see(token); });
}

}  // namespace musashim::mcc
