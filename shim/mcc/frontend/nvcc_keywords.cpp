// What nvcc knows in every language standard, and clang in some: `typeof`; and nvcc's own pragmas, which say
// nothing to clang.
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
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

class NvccKeywordsAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDA) return std::make_unique<ASTConsumer>();
    Preprocessor& preprocessor = compiler.getPreprocessor();
    IdentifierInfo& name = *preprocessor.getIdentifierInfo("typeof");
    if (name.getTokenID() == tok::identifier) name.revertIdentifierToTokenID(tok::kw_typeof);
    for (const llvm::StringRef pragma : kPragmas)
      preprocessor.AddPragmaHandler(new EmptyPragmaHandler(pragma));  // the preprocessor's
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<NvccKeywordsAction> registration("musa-nvcc-keywords",
                                                             "knows nvcc's keywords and pragmas");

}  // namespace
}  // namespace musashim::mcc
