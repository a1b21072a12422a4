// `queue.send<3>(1)` where queue's type depends on a template's parameter: C++ asks for `template` before
// `send`, nvcc does not. Before a name that can be nothing but a template's, as there are arguments and a
// call behind it, the keyword is put in: it is allowed wherever the name is a template's, dependent or not.
#include <deque>
#include <memory>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "token_watch.h"

namespace musashim::mcc {
namespace {

using namespace clang;

constexpr unsigned kMostTokens = 64;  // of a list of template arguments

class TemplateKeyword {
 public:
  explicit TemplateKeyword(CompilerInstance& compiler)
      : compiler_(compiler), preprocessor_(compiler.getPreprocessor()) {}

  void see(const Token& token) {
    const bool ofMember = token.isOneOf(tok::period, tok::arrow);
    const bool ofType = token.is(tok::coloncolon) &&
                        (inDependent_ || (closesArguments_ ? isInBody() : isDependentType(previous_)));
    inDependent_ = ofType || (inDependent_ && token.is(tok::identifier));
    previous_ = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
    closesArguments_ = token.isOneOf(tok::greater, tok::greatergreater);
    if (!ofMember && !ofType) return;
    const SourceManager& sources = preprocessor_.getSourceManager();
    if (sources.isInSystemHeader(token.getLocation())) return;
    if (isTemplateCall(token.getLocation())) insertKeyword(token.getLocation());
  }

 private:
  // Behind `Base<T>::`, unlike elsewhere, a member template's specialization may be declared.
  bool isInBody() const {
    if (!compiler_.hasSema() || compiler_.getSema().CurContext == nullptr) return false;
    const DeclContext& context = *compiler_.getSema().CurContext;
    return context.isFunctionOrMethod() || context.isRecord();
  }

  // `T` in `T::make<3>()`.
  bool isDependentType(IdentifierInfo* name) {
    const auto* type = dyn_cast_or_null<TypeDecl>(meaningOf(compiler_, name));
    if (type == nullptr || isa<TagDecl>(type)) return false;  // a class's own name is one that is complete
    return type->getASTContext().getTypeDeclType(type)->isDependentType();
  }

  // Behind `location`: name < ... > (
  bool isTemplateCall(SourceLocation location) const {
    const std::unique_ptr<Lexer> lexer = readBehind(preprocessor_, location);
    if (lexer == nullptr) return false;
    Token token;
    lexer->LexFromRawLexer(token);
    if (token.isNot(tok::raw_identifier)) return false;
    const bool isOperator = token.getRawIdentifier() == "operator";
    lexer->LexFromRawLexer(token);
    if (isOperator && token.is(tok::l_paren)) {  // operator()<3>(1)
      lexer->LexFromRawLexer(token);
      lexer->LexFromRawLexer(token);
    }
    return token.is(tok::less) && closesBeforeCall(*lexer);
  }

  static bool closesBeforeCall(Lexer& lexer) {
    Token token;
    int angles = 1, brackets = 0;
    for (unsigned i = 0; i < kMostTokens; ++i) {
      lexer.LexFromRawLexer(token);
      if (token.isOneOf(tok::l_paren, tok::l_square)) ++brackets;
      if (token.isOneOf(tok::r_paren, tok::r_square) && --brackets < 0) return false;
      if (brackets > 0) continue;
      if (token.isOneOf(tok::eof, tok::semi, tok::l_brace, tok::r_brace, tok::hash, tok::equal)) return false;
      if (token.isOneOf(tok::ampamp, tok::pipepipe, tok::question)) return false;
      if (token.is(tok::less)) ++angles;
      if (token.is(tok::greater)) --angles;
      if (token.is(tok::greatergreater)) angles -= 2;
      if (angles < 0) return false;
      if (angles > 0) continue;
      lexer.LexFromRawLexer(token);
      return token.is(tok::l_paren);
    }
    return false;
  }

  void insertKeyword(SourceLocation location) {
    Token keyword;
    keyword.startToken();
    keyword.setKind(tok::kw_template);
    keyword.setIdentifierInfo(preprocessor_.getIdentifierInfo("template"));
    keyword.setLocation(location);
    preprocessor_.EnterTokenStream(llvm::ArrayRef(kept_.emplace_back(keyword)),
                                   /*DisableMacroExpansion=*/true,
                                   /*IsReinject=*/false);
  }

  CompilerInstance& compiler_;
  Preprocessor& preprocessor_;
  IdentifierInfo* previous_ = nullptr;  // the token before, if it is a name
  bool inDependent_ = false;            // ... or its :: follows a type that depends on a parameter
  bool closesArguments_ = false;        // the token before is >
  std::deque<Token> kept_;              // what the preprocessor reads
};

class TemplateKeywordAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (compiler.getLangOpts().CUDA) {
      auto keyword = std::make_shared<TemplateKeyword>(compiler);
      watchTokens(compiler.getPreprocessor(), [keyword](const Token& token) { keyword->see(token); });
    }
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<TemplateKeywordAction> registration(
    "musa-template-keyword", "puts in `template` where nvcc does not ask for it");

}  // namespace
}  // namespace musashim::mcc
