// Clang's diagnostics of device code, in this compiler's words: what follows from inline PTX
// that was reported is left out, and launches from device code get the remedy.
#pragma once

#include <memory>

#include "clang/Basic/Diagnostic.h"

namespace musashim::mcc {

class DeviceDiagnostics : public clang::DiagnosticConsumer {
 public:
  // Puts itself before the consumer of `diagnostics`, once.
  static DeviceDiagnostics& of(clang::DiagnosticsEngine& diagnostics);

  // From here on, nothing is said about operands of assembly: they are PTX's.
  void quietAboutAsm() { quietAboutAsm_ = true; }

  void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor* preprocessor) override {
    next_->BeginSourceFile(options, preprocessor);
  }
  void EndSourceFile() override { next_->EndSourceFile(); }
  void finish() override { next_->finish(); }
  bool IncludeInDiagnosticCounts() const override { return next_->IncludeInDiagnosticCounts(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

 private:
  explicit DeviceDiagnostics(clang::DiagnosticsEngine& diagnostics)
      : engine_(diagnostics), owned_(diagnostics.takeClient()), next_(diagnostics.getClient()) {}

  clang::DiagnosticsEngine& engine_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
  clang::DiagnosticConsumer* next_;
  bool quietAboutAsm_ = false;
};

}  // namespace musashim::mcc
