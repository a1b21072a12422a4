// `__device__ [[nodiscard]] int size() const;` and `__shared__ alignas(16) float tile[256];`: nvcc accepts
// attributes of C++ and alignas behind its qualifiers, on members, local variables and lambdas as well. C++
// does not, where the qualifiers are attributes of GNU's kind. So the parser gets the attributes of C++
// first; alignas has a spelling that may stay where it is, C's _Alignas.
#include <memory>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;
using Tokens = std::vector<Token>;

class AttributeOrder {
 public:
  explicit AttributeOrder(Preprocessor& preprocessor)
      : preprocessor_(preprocessor), alignas_(preprocessor.getIdentifierInfo("_Alignas")) {}

  // The parser gets `token` next: it is changed in place, and what follows is entered anew.
  void see(Token& token) {
    if (busy_) return;
    const bool isLambda =
        std::exchange(squares_, token.is(tok::r_square) ? squares_ + 1 : 0) == 1;  // `[=]`, no `]]`
    // Of a lambda, clang takes them as they are.
    if (token.isNot(tok::kw___attribute) || isLambda || preprocessor_.isBacktrackEnabled()) return;
    if (!isFollowedByOthers(token.getLocation())) return;
    busy_ = true;
    reorder(token);
    busy_ = false;
  }

 private:
  // Whether attributes of C++, or alignas, follow attributes, macros among them: as the source is written,
  // and so are the macros that `location` is of.
  bool isFollowedByOthers(SourceLocation location) const {
    const SourceManager& sources = preprocessor_.getSourceManager();
    if (location.isFileID()) return isFollowedByOthers(location, /*isMacro=*/false, /*inMacro=*/false);
    while (location.isMacroID()) {
      location = sources.getImmediateExpansionRange(location).getEnd();
      if (isFollowedByOthers(location, /*isMacro=*/true, location.isMacroID())) return true;
    }
    return false;
  }

  bool isFollowedByOthers(SourceLocation location, bool isMacro, bool inMacro) const {
    const std::unique_ptr<Lexer> lexer = readBehind(preprocessor_, location);
    if (lexer == nullptr) return false;
    Token token;
    lexer->LexFromRawLexer(token);
    if (!isMacro) skipParentheses(*lexer, token);
    while (token.is(tok::raw_identifier) && !(inMacro && token.isAtStartOfLine())) {
      const llvm::StringRef name = token.getRawIdentifier();
      if (name == "alignas") return true;
      const MacroInfo* macro = preprocessor_.getMacroInfo(preprocessor_.getIdentifierInfo(name));
      const bool isAttribute = macro == nullptr && name == "__attribute__";
      if (macro == nullptr && !isAttribute && name != "__noinline__") return false;
      lexer->LexFromRawLexer(token);
      if (isAttribute || (macro != nullptr && macro->isFunctionLike())) skipParentheses(*lexer, token);
    }
    if (token.isNot(tok::l_square)) return false;
    lexer->LexFromRawLexer(token);
    return token.is(tok::l_square);
  }

  static void skipParentheses(Lexer& lexer, Token& token) {
    int depth = 0;
    while (token.isNot(tok::eof)) {
      depth += token.is(tok::l_paren) - token.is(tok::r_paren);
      if (depth == 0 && token.isNot(tok::r_paren)) return;  // there are none
      lexer.LexFromRawLexer(token);
      if (depth == 0) return;
    }
  }

  void reorder(Token& token) {
    Tokens standard, others;
    Token next = token;
    while (true) {
      if (next.is(tok::l_square)) {
        Tokens group = takeGroup(next);
        if (group.size() < 2 || group[1].isNot(tok::l_square)) {  // none of attributes
          others.insert(others.end(), group.begin(), group.end());
          break;
        }
        standard.insert(standard.end(), group.begin(), group.end());
      } else if (next.isOneOf(tok::kw___attribute, tok::kw_alignas, tok::kw_inline, tok::kw___noinline__)) {
        const bool isWord = next.isOneOf(tok::kw_inline, tok::kw___noinline__);
        if (next.is(tok::kw_alignas)) next.setIdentifierInfo(alignas_);
        others.push_back(next);
        preprocessor_.Lex(next);
        if (isWord || next.isNot(tok::l_paren)) continue;
        const Tokens group = takeGroup(next);
        others.insert(others.end(), group.begin(), group.end());
      } else {
        break;
      }
    }
    others.push_back(next);
    standard.insert(standard.end(), others.begin(), others.end());
    token = standard.front();
    const size_t count = standard.size() - 1;
    auto rest = std::make_unique<Token[]>(count);
    std::copy(standard.begin() + 1, standard.end(), rest.get());
    preprocessor_.EnterTokenStream(std::move(rest), static_cast<unsigned>(count),
                                   /*DisableMacroExpansion=*/true,
                                   /*IsReinject=*/true);
  }

  // From an opening bracket to the one that closes it; `next`: the one behind.
  Tokens takeGroup(Token& next) {
    Tokens group;
    int depth = 0;
    do {
      depth += next.isOneOf(tok::l_paren, tok::l_square) - next.isOneOf(tok::r_paren, tok::r_square);
      group.push_back(next);
      preprocessor_.Lex(next);
    } while (depth > 0 && next.isNot(tok::eof));
    return group;
  }

  Preprocessor& preprocessor_;
  IdentifierInfo* alignas_;
  bool busy_ = false;
  int squares_ = 0;  // that were closed one after the other
};

class AttributeOrderAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    Preprocessor& preprocessor = compiler.getPreprocessor();
    // In C, alignas is no keyword of its own.
    if (compiler.getLangOpts().CPlusPlus11) {
      auto order = std::make_shared<AttributeOrder>(preprocessor);
      watchTokens(preprocessor, [order](const Token& token) { order->see(const_cast<Token&>(token)); });
    }
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<AttributeOrderAction> registration(
    "musa-attribute-order", "accepts alignas and [[attributes]] behind __device__ and its kin");

}  // namespace
}  // namespace musashim::mcc
