// What nvcc knows in every language standard, and clang in some: `typeof`; nvcc's own pragmas, which say
// nothing to clang; and macros whose text is a pragma.
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

// CUDA C++ Programming Guide, "nvcc Diagnostic Pragmas" and "__nv_exec_check_disable__"; those without `nv_`
// are the older names.
constexpr llvm::StringRef kPragmas[] = {
    "nv_diagnostic",   "nv_diag_suppress", "nv_diag_warning",       "nv_diag_error",
    "nv_diag_default", "nv_diag_once",     "nv_exec_check_disable", "nv_abi",
    "nv_weak_odr",     "diag_suppress",    "diag_warning",          "diag_error",
    "diag_default",    "diag_once",        "diag_remark",           "hd_warning_disable",
    "nv_warp_uniform", "nv_no_inline",     "nvcc_std_in_effect"};

// `#define UNROLLED #pragma unroll`: nvcc compiles what a preprocessor has written, in which the macro's text
// is a line of its own. Such a macro becomes one of `_Pragma("unroll")`.
class PragmaMacros : public PPCallbacks {
 public:
  explicit PragmaMacros(Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    const MacroInfo& macro = *directive->getMacroInfo();
    const llvm::ArrayRef<Token> text = macro.tokens();
    if (text.size() < 2 || text[0].isNot(tok::hash) || text[1].getIdentifierInfo() == nullptr ||
        !text[1].getIdentifierInfo()->isStr("pragma"))
      return;
    std::string words = "\"";
    for (const Token& word : text.drop_front(2)) {
      if (words.size() > 1 && word.hasLeadingSpace()) words += ' ';
      words += Lexer::Stringify(preprocessor_.getSpelling(word));
    }
    Token operation = text[0], open = text[0], string = text[0], close = text[0];
    operation.setIdentifierInfo(preprocessor_.getIdentifierInfo("_Pragma"));
    operation.setKind(tok::identifier);
    open.setKind(tok::l_paren);
    string.setKind(tok::string_literal);
    preprocessor_.CreateString(words + "\"", string, text[0].getLocation(), text.back().getLocation());
    close.setKind(tok::r_paren);
    MacroInfo* changed = preprocessor_.AllocateMacroInfo(macro.getDefinitionLoc());
    changed->setTokens({operation, open, string, close}, preprocessor_.getPreprocessorAllocator());
    changed->setDefinitionEndLoc(macro.getDefinitionEndLoc());
    preprocessor_.appendDefMacroDirective(name.getIdentifierInfo(), changed);
  }

 private:
  Preprocessor& preprocessor_;
};

class NvccKeywordsAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDA) return std::make_unique<ASTConsumer>();
    Preprocessor& preprocessor = compiler.getPreprocessor();
    IdentifierInfo& name = *preprocessor.getIdentifierInfo("typeof");
    if (name.getTokenID() == tok::identifier) name.revertIdentifierToTokenID(tok::kw_typeof);
    for (const llvm::StringRef pragma : kPragmas)
      preprocessor.AddPragmaHandler(new EmptyPragmaHandler(pragma));  // the preprocessor's
    preprocessor.addPPCallbacks(std::make_unique<PragmaMacros>(preprocessor));
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<NvccKeywordsAction> registration("musa-nvcc-keywords",
                                                             "knows nvcc's keywords and pragmas");

}  // namespace
}  // namespace musashim::mcc
