// `float sums[count] = {0};` in a host function, where `count` is no constant: g++, which nvcc has for host
// code, makes an array of zeros; clang refuses any value of an array of variable length. Behind its `]` this
// puts in
//
//     ; __builtin_memset(sums, 0, sizeof(sums)); __attribute__((unused)) double <name>
//
// or another type, whose value `= {0};` then is.
#include <deque>
#include <memory>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
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

class ZeroedArrays {
 public:
  explicit ZeroedArrays(CompilerInstance& compiler)
      : compiler_(compiler), preprocessor_(compiler.getPreprocessor()) {}

  // Watches for: TYPE NAME [ LENGTH ], with no bracket within.
  void see(const Token& token) {
    if (token.is(tok::l_square)) {
      array_ = isDeclared_ ? name_ : nullptr;
      isVariable_ = false;
    } else if (array_ != nullptr && token.is(tok::r_square)) {
      const char* const type = isVariable_ ? typeOfZero(token.getLocation()) : nullptr;
      if (type != nullptr) zero(token.getLocation(), type);
      array_ = nullptr;
    } else if (token.isOneOf(tok::kw_sizeof, tok::l_paren, tok::semi)) {
      array_ = nullptr;
    } else if (array_ != nullptr && token.is(tok::identifier)) {
      isVariable_ = isVariable_ || isVariable(token.getIdentifierInfo());
    }
    name_ = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
    isDeclared_ = name_ != nullptr && mayEndType_;
    mayEndType_ = token.isOneOf(tok::identifier, tok::star, tok::greater) ||
                  token.isSimpleTypeSpecifier(preprocessor_.getLangOpts());
  }

 private:
  // A parameter, or a variable of a function whose value is not known when it is compiled.
  bool isVariable(IdentifierInfo* name) {
    const auto* variable = dyn_cast_or_null<VarDecl>(meaningOf(compiler_, name));
    return variable != nullptr && compiler_.getSema().CurContext->isFunctionOrMethod() &&
           variable->isLocalVarDeclOrParm() && !variable->isConstexpr() &&
           !variable->getType().isConstQualified() && !variable->getType()->isArrayType();
  }

  // Behind `location`: = { } ; or = { 0 } ; with any spelling of nothing. What can have that value; else
  // null.
  const char* typeOfZero(SourceLocation location) const {
    const std::unique_ptr<Lexer> lexer = readBehind(preprocessor_, location);
    if (lexer == nullptr) return nullptr;
    Token token;
    for (const tok::TokenKind kind : {tok::equal, tok::l_brace}) {
      lexer->LexFromRawLexer(token);
      if (token.isNot(kind)) return nullptr;
    }
    lexer->LexFromRawLexer(token);
    const char* type = "int";
    if (token.isOneOf(tok::numeric_constant, tok::raw_identifier)) {
      const std::string word = preprocessor_.getSpelling(token);
      const bool isNumber = word.find_first_not_of("0.fFuUlL") == std::string::npos;
      if (!isNumber && word != "false" && word != "NULL" && word != "nullptr") return nullptr;
      type = isNumber ? "double" : word == "false" ? "bool" : "void";
      lexer->LexFromRawLexer(token);
    }
    if (token.isNot(tok::r_brace)) return nullptr;
    lexer->LexFromRawLexer(token);
    return token.is(tok::semi) ? type : nullptr;
  }

  void zero(SourceLocation location, const char* type) {
    std::vector<Token>& tokens = kept_.emplace_back();
    const auto put = [&](tok::TokenKind kind, IdentifierInfo* name = nullptr) {
      Token& token = tokens.emplace_back();
      token.startToken();
      token.setKind(kind);
      if (name != nullptr) token.setIdentifierInfo(name);
      token.setLocation(location);
    };
    const auto word = [&](const char* text) {
      IdentifierInfo* name = preprocessor_.getIdentifierInfo(text);
      put(name->getTokenID(), name);
    };
    put(tok::semi);
    word("__builtin_memset");
    put(tok::l_paren);
    put(tok::identifier, array_);
    put(tok::comma);
    word("false");
    put(tok::comma);
    word("sizeof");
    put(tok::l_paren);
    put(tok::identifier, array_);
    put(tok::r_paren);
    put(tok::r_paren);
    put(tok::semi);
    word("__attribute__");
    put(tok::l_paren);
    put(tok::l_paren);
    word("unused");
    put(tok::r_paren);
    put(tok::r_paren);
    word(type);
    if (llvm::StringRef(type) == "void") put(tok::star);
    word(("__musa_zeroed_" + std::to_string(kept_.size())).c_str());
    preprocessor_.EnterTokenStream(llvm::ArrayRef(tokens), /*DisableMacroExpansion=*/true,
                                   /*IsReinject=*/false);
  }

  CompilerInstance& compiler_;
  Preprocessor& preprocessor_;
  IdentifierInfo* name_ = nullptr;       // the token before, if it is a name
  bool isDeclared_ = false;              // ... and stands behind what may be a type
  bool mayEndType_ = false;              // the token before
  IdentifierInfo* array_ = nullptr;      // whose length is being read
  bool isVariable_ = false;              // ... and depends on a variable so far
  std::deque<std::vector<Token>> kept_;  // what the preprocessor reads
};

class ZeroedArraysAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (compiler.getLangOpts().CUDA) {
      auto arrays = std::make_shared<ZeroedArrays>(compiler);
      watchTokens(compiler.getPreprocessor(), [arrays](const Token& token) { arrays->see(token); });
    }
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<ZeroedArraysAction> registration(
    "musa-zeroed-arrays", "makes zeros of arrays of variable length that are declared so");

}  // namespace
}  // namespace musashim::mcc
