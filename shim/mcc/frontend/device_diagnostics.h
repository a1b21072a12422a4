// Clang's diagnostics of device code: what follows from inline PTX that was reported is left
// out, and so is the refusal of launches in device code, which the plugin compiles; calls of host functions
// by functions for both sides are warnings.
#pragma once

#include <memory>
#include <set>

#include "clang/Basic/Diagnostic.h"

namespace musashim::mcc {

class DeviceDiagnostics : public clang::DiagnosticConsumer {
 public:
  // Puts itself before the consumer of `diagnostics`, once.
  static DeviceDiagnostics& of(clang::DiagnosticsEngine& diagnostics);

  // A launch in device code, by the place of the kernel's name.
  void allowLaunchAt(clang::SourceLocation place) { launches_.insert(place); }

  // True once a function was referred to that the device cannot call. Clang itself does not
  // count that, as it must not count launches.
  bool refusedReference() const { return refusedReference_; }

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
  explicit DeviceDiagnostics(clang::DiagnosticsEngine& diagnostics);

  void warnOfHostCall(const clang::Diagnostic& info);
  void forwardWithRule(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info);
  void forwardWithHeader(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info);

  clang::DiagnosticsEngine& engine_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
  clang::DiagnosticConsumer* next_;
  std::set<clang::SourceLocation> launches_;
  std::set<std::pair<clang::SourceLocation, uint64_t>> hostCalls_;  // that were warned of
  bool quietAboutAsm_ = false;
  bool refusedReference_ = false;
  bool dropsNotes_ = false;  // of what was left out
};

}  // namespace musashim::mcc
