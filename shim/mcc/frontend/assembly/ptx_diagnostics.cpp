#include "ptx_diagnostics.h"

#include <map>
#include <optional>
#include <vector>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Preprocessor.h"
#include "mcc/frontend/device_diagnostics.h"
#include "mcc/frontend/syntax_visitor.h"
#include "mcc/frontend/token_watch.h"
#include "translator/lib/ptx/ptx_advice.h"
#include "vendor_assembly.h"

namespace musashim::mcc {
namespace {

using namespace clang;
using translator::AsmOperand;
using translator::PtxAdvice;

// An asm statement, as its tokens come.
struct AsmTokens {
  SourceLocation keyword;
  std::vector<Token> code;
  std::vector<std::pair<std::vector<Token>, std::vector<Token>>> operands;  // constraint, expression
  SourceLocation end;
  bool extended = false, named = false;
  unsigned colons = 0, brackets = 0;
};

// The asm statements of a body, but for those of lambdas in it, which are functions of their own.
class AsmStatements : public SyntaxVisitor {
 public:
  bool visit(Stmt& statement) override {
    if (const auto* assembly = dyn_cast<GCCAsmStmt>(&statement)) places.push_back(assembly->getAsmLoc());
    return true;
  }
  bool enters(LambdaExpr&) override { return false; }

  std::vector<SourceLocation> places;
};

class PtxReporter : public InlinePtx {
 public:
  explicit PtxReporter(CompilerInstance& compiler)
      : preprocessor_(compiler.getPreprocessor()), diagnostics_(compiler.getDiagnostics()) {}

  void deferErrors(Sema& sema, const FunctionDecl& function) override {
    if (known_.empty() || !function.doesThisDeclarationHaveABody() || function.isDependentContext()) return;
    if (!visited_.insert(&function).second) return;
    AsmStatements statements;
    statements.traverse(function.getBody());
    for (const SourceLocation place : statements.places) {
      if (const auto known = known_.find(place); known != known_.end())
        defer(sema, function, place, known->second);
    }
  }

  void see(const Token& token) {
    if (token.is(tok::kw_asm)) {
      statement_.emplace();
      statement_->keyword = token.getLocation();
    } else if (statement_) {
      take(token);
    }
  }

 private:
  void take(const Token& token) {
    AsmTokens& statement = *statement_;
    if (statement.brackets == 0) {
      if (token.is(tok::l_paren)) {
        ++statement.brackets;
      } else if (token.isOneOf(tok::semi, tok::l_brace, tok::eof)) {
        statement_.reset();
      }
      return;
    }
    if (token.is(tok::r_paren) && --statement.brackets == 0) {
      statement.end = token.getEndLoc();
      note();
      statement_.reset();
      return;
    }
    if (token.is(tok::l_paren)) ++statement.brackets;
    if (statement.brackets == 1) {
      takeOutside(token);
    } else if (!statement.operands.empty() && !(statement.brackets == 2 && token.is(tok::l_paren))) {
      statement.operands.back().second.push_back(token);
    }
    if (token.is(tok::eof)) statement_.reset();
  }

  // A token that is in no operand's brackets.
  void takeOutside(const Token& token) {
    AsmTokens& statement = *statement_;
    if (token.is(tok::colon)) ++statement.colons;
    if (token.is(tok::coloncolon)) statement.colons += 2;
    if (statement.colons > 0) statement.extended = true;
    if (token.is(tok::l_square)) statement.named = true;
    if (!tok::isStringLiteral(token.getKind()) || statement.colons > 2) return;
    if (statement.colons == 0) {
      statement.code.push_back(token);
    } else {
      statement.operands.push_back({{token}, {}});
    }
  }

  std::string textOf(const std::vector<Token>& literals) {
    StringLiteralParser parser(literals, preprocessor_, StringLiteralEvalMethod::Unevaluated);
    return parser.hadError ? std::string() : parser.GetString().str();
  }

  std::string spelling(const std::vector<Token>& tokens) {
    std::string text;
    for (const Token& token : tokens) {
      if (!text.empty() && token.hasLeadingSpace()) text += ' ';
      text += preprocessor_.getSpelling(token);
    }
    return text;
  }

  void note() {
    const AsmTokens& statement = *statement_;
    if (statement.code.empty()) return;
    std::vector<AsmOperand> operands;
    for (const auto& [constraint, expression] : statement.operands)
      operands.push_back({textOf(constraint), spelling(expression)});
    const std::string code = textOf(statement.code);
    if (!functionOfAssembly(code).empty()) return;
    const auto advice = translator::advisePtx(code, operands, statement.extended, statement.named);
    if (!advice) return;
    DeviceDiagnostics::of(diagnostics_).quietAboutAsm();
    known_.emplace(statement.keyword, *advice);
  }

  // Clang knows of some functions already that they become code; with the others it emits its own errors
  // later.
  void defer(Sema& sema, const FunctionDecl& function, SourceLocation place, const PtxAdvice& advice) {
    const unsigned error = diagnostics_.getCustomDiagID(DiagnosticsEngine::Error,
                                                        "inline PTX does not assemble for MUSA: '%0'%1: %2");
    const std::string meaning = advice.meaning.empty() ? "" : " (" + advice.meaning + ")";
    report(sema, function, place, sema.PDiag(error) << advice.instruction << meaning << advice.remedy);
    if (toldOfCapability_ || !preprocessor_.isMacroDefined("__CUDA_ARCH__")) return;
    toldOfCapability_ = true;
    const unsigned note =
        diagnostics_.getCustomDiagID(DiagnosticsEngine::Note,
                                     "where a test of __CUDA_ARCH__ has other code for older devices, "
                                     "MUSASHIM_CUDA_CAPABILITY=7.0 or lower chooses that");
    report(sema, function, place, sema.PDiag(note));
  }

  void report(Sema& sema, const FunctionDecl& function, SourceLocation place, const PartialDiagnostic& what) {
    if (sema.getEmissionStatus(&function) == Sema::FunctionEmissionStatus::Emitted) {
      const DiagnosticBuilder builder = diagnostics_.Report(place, what.getDiagID());
      what.Emit(builder);
    } else {
      sema.DeviceDeferredDiags[&function].push_back({place, what});
    }
  }

  Preprocessor& preprocessor_;
  DiagnosticsEngine& diagnostics_;
  std::optional<AsmTokens> statement_;
  std::map<SourceLocation, PtxAdvice> known_;  // by the keyword's place
  llvm::SmallPtrSet<const FunctionDecl*, 16> visited_;
  bool toldOfCapability_ = false;
};

}  // namespace

std::shared_ptr<InlinePtx> watchInlinePtx(CompilerInstance& compiler) {
  auto reporter = std::make_shared<PtxReporter>(compiler);
  watchTokens(compiler.getPreprocessor(), [reporter](const Token& token) { reporter->see(token); });
  return reporter;
}

}  // namespace musashim::mcc
