#pragma once

#include "clang/Basic/Diagnostic.h"
#include "translator/semantic/facts.h"

namespace musashim::translator {

/// What clang says about one unit. Headers that are missing end nothing: the rest still holds facts.
class Diagnosis final : public clang::DiagnosticConsumer {
 public:
  explicit Diagnosis(UnitFacts& facts) : facts_(facts) {}

  /// Lets `diagnostics` go on where clang would stop, and accept what mcc accepts. Once it is set up.
  static void relax(clang::DiagnosticsEngine& diagnostics);

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

  bool understood() const {
    return trouble_.errors == 0 && trouble_.headers.empty() && trouble_.names.empty();
  }
  /// All but its file.
  SemanticTrouble& trouble() { return trouble_; }

 private:
  void handleNote(const clang::Diagnostic& diagnostic);
  void nestedLaunch(const clang::SourceManager& sources, clang::SourceLocation place,
                    const std::string& message);
  bool isMissingHeader(const clang::Diagnostic& diagnostic);
  bool isMissingName(const clang::Diagnostic& diagnostic);

  /// The last error, if it said that no function matches a launch.
  struct NoMatch {
    clang::SourceLocation place;
    std::string message;
    bool first = false;  // of the unit's errors
  };

  UnitFacts& facts_;
  SemanticTrouble trouble_;
  NoMatch noMatch_;
};

}  // namespace musashim::translator
