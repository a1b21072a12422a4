// -Wvendor: names what works here and, as far as public sources tell, not with the vendor's SDK. A plugin of
// its own, as only that option loads it.
#include <fstream>
#include <set>
#include <string>

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "translator/lib/vendor/checks.h"

namespace musashim::mcc {
namespace {

using namespace clang;
using translator::VendorGap;

StringRef textOf(std::string_view text) { return {text.data(), text.size()}; }

class VendorReporter {
 public:
  // `said`: a file with a line for each place that a pass of the same command has named; empty for none.
  VendorReporter(CompilerInstance& compiler, std::string said)
      : diagnostics_(compiler.getDiagnostics()),
        sources_(compiler.getSourceManager()),
        warning_(diagnostics_.getCustomDiagID(DiagnosticsEngine::Warning,
                                              "'%0' %1: %2; %3 (source: %4) [-Wvendor]")),
        file_(std::move(said)) {
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) said_.insert(line);
  }

  void report(SourceLocation place, const std::string& subject, const VendorGap& gap) {
    const std::string line = place.printToString(sources_) + " " + std::string(gap.id) + " " + subject;
    if (!said_.insert(line).second) return;
    if (!file_.empty()) std::ofstream(file_, std::ios::app) << line << '\n';
    diagnostics_.Report(place, warning_) << subject << textOf(wordsOf(gap.evidence)) << textOf(gap.reason)
                                         << textOf(gap.remedy) << textOf(gap.source);
  }

 private:
  DiagnosticsEngine& diagnostics_;
  const SourceManager& sources_;
  unsigned warning_;
  std::string file_;
  std::set<std::string> said_;
};

class VendorConsumer : public ASTConsumer {
 public:
  explicit VendorConsumer(translator::VendorReport report) : report_(std::move(report)) {}
  void HandleTranslationUnit(ASTContext& context) override { checkVendorUses(context, report_); }

 private:
  translator::VendorReport report_;
};

class VendorAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    auto reporter = std::make_shared<VendorReporter>(compiler, said_);
    const translator::VendorReport report = [reporter](SourceLocation place, const std::string& subject,
                                                       const VendorGap& gap) {
      reporter->report(place, subject, gap);
    };
    Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(vendorPreprocessorChecks(preprocessor, report));
    return std::make_unique<VendorConsumer>(report);
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>& arguments) override {
    for (StringRef argument : arguments) {
      if (argument.consume_front("said=")) said_ = argument.str();
    }
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  std::string said_;
};

FrontendPluginRegistry::Add<VendorAction> registration("musa-vendor", "names what the vendor's SDK lacks");

}  // namespace
}  // namespace musashim::mcc
