// `__shared__ alignas(16) float tile[256];`: nvcc accepts alignas behind the qualifiers of
// variables, C++ does not, where the qualifiers are attributes. Clang knows a spelling that
// may stand there, C's _Alignas: an alignas that follows a qualifier is taken for one.
#include <string>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/StringSwitch.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;

bool isVariableQualifier(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("__shared__", "__constant__", "__device__", "__managed__", true)
      .Default(false);
}

class AlignasOrder : public PPCallbacks {
 public:
  explicit AlignasOrder(Preprocessor& preprocessor)
      : preprocessor_(preprocessor), alignas_(*preprocessor.getIdentifierInfo("alignas")) {
    watchTokens(preprocessor, [this](const Token& token) {
      if (changed_ && token.is(tok::kw__Alignas)) become(tok::kw_alignas);
    });
  }

  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange range, const MacroArgs*) override {
    if (!isVariableQualifier(name.getIdentifierInfo()->getName())) return;
    if (!changed_ && isFollowedByAlignas(range.getEnd())) become(tok::kw__Alignas);
  }

 private:
  bool isFollowedByAlignas(SourceLocation location) const {
    const SourceManager& sources = preprocessor_.getSourceManager();
    const auto next =
        Lexer::findNextToken(sources.getSpellingLoc(location), sources, preprocessor_.getLangOpts());
    return next && next->is(tok::raw_identifier) && next->getRawIdentifier() == "alignas";
  }

  void become(tok::TokenKind kind) {
    alignas_.revertTokenIDToIdentifier();
    alignas_.revertIdentifierToTokenID(kind);
    changed_ = kind == tok::kw__Alignas;
  }

  Preprocessor& preprocessor_;
  IdentifierInfo& alignas_;
  bool changed_ = false;  // until the next alignas has been read
};

class AlignasOrderAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    Preprocessor& preprocessor = compiler.getPreprocessor();
    // In C, alignas is no keyword of its own.
    if (compiler.getLangOpts().CPlusPlus11)
      preprocessor.addPPCallbacks(std::make_unique<AlignasOrder>(preprocessor));
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<AlignasOrderAction> registration("musa-alignas-order",
                                                             "accepts alignas behind __shared__ and its kin");

}  // namespace
}  // namespace musashim::mcc
