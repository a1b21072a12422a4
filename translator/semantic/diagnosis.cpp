#include "translator/semantic/diagnosis.h"

#include <algorithm>

#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace musashim::translator {
namespace {

using namespace clang;

/// `kernel<<<...>>>` in device code: mcc compiles that. Templates and other uses of a kernel it refuses.
bool isDeviceLaunch(const Diagnostic& diagnostic) {
  if (diagnostic.getArgKind(0) != DiagnosticsEngine::ak_sint ||
      diagnostic.getArgSInt(0) != static_cast<int>(CUDAFunctionTarget::Global))
    return false;
  LangOptions language;
  language.CPlusPlus = language.CUDA = true;
  const SourceManager& sources = diagnostic.getSourceManager();
  const auto next = Lexer::findNextToken(sources.getSpellingLoc(diagnostic.getLocation()), sources, language);
  return next && next->is(tok::lesslessless);
}

void note(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

StringRef firstQuoted(StringRef text) { return text.split('\'').second.split('\'').first; }

}  // namespace

void Diagnosis::relax(DiagnosticsEngine& diagnostics) {
  diagnostics.setFatalsAsError(true);
  // Which of them are errors is decided below.
  diagnostics.setSeverity(diag::err_ref_bad_target, diag::Severity::Remark, SourceLocation());
}

void Diagnosis::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) {
  const bool wrongSide = diagnostic.getID() == diag::err_ref_bad_target;
  if (wrongSide && isDeviceLaunch(diagnostic)) return nestedLaunch(diagnostic);
  if (level < DiagnosticsEngine::Error && !wrongSide) return;
  DiagnosticConsumer::HandleDiagnostic(DiagnosticsEngine::Error, diagnostic);
  if (isMissingHeader(diagnostic) || isMissingName(diagnostic)) return;
  ++trouble_.errors;
  if (trouble_.error.empty()) {
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    trouble_.error = message.str().str();
  }
}

/// Clang keeps no expression of it, so the visitor will not see it.
void Diagnosis::nestedLaunch(const Diagnostic& diagnostic) {
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  reportNestedLaunch(facts_, diagnostic.getSourceManager(), diagnostic.getLocation(),
                     firstQuoted(message).str());
}

bool Diagnosis::isMissingHeader(const Diagnostic& diagnostic) {
  const unsigned id = diagnostic.getID();
  if (id == diag::err_pp_file_not_found || id == diag::err_pp_file_not_found_typo_not_fatal) {
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    const std::string header = firstQuoted(message).str();
    // The place is the quote's.
    facts_.report(diagnostic.getSourceManager(), diagnostic.getLocation().getLocWithOffset(1), "header",
                  header, "", "");
    note(trouble_.headers, header);
    return true;
  }
  if (id != diag::err_pp_hash_error) return false;
  const SourceManager& sources = diagnostic.getSourceManager();
  SourceLocation place = diagnostic.getLocation();
  StringRef header = sources.getFilename(place);
  if (!header.consume_front(facts_.request.include + "/")) return false;
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  while (place.isValid() && facts_.fileOf(sources, place) == SIZE_MAX)
    place = sources.getIncludeLoc(sources.getFileID(place));
  if (place.isValid())
    facts_.report(sources, place.getLocWithOffset(1), "header", header.str(), message.str().str(), "");
  note(trouble_.headers, header.str());
  return true;
}

/// "use of undeclared identifier 'musaX'", "unknown type name 'musaX_t'"
bool Diagnosis::isMissingName(const Diagnostic& diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return false;
  const unsigned id = diagnostic.getID();
  if (id != diag::err_undeclared_var_use && id != diag::err_unknown_typename && id != diag::err_no_member)
    return false;
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  const StringRef name = firstQuoted(message);
  const bool vendors = name.starts_with("mu") || name.starts_with("MU") || name.starts_with("mccl") ||
                       name.starts_with("MCCL") || name.starts_with("__mu");
  if (!vendors) return false;
  facts_.report(diagnostic.getSourceManager(), diagnostic.getLocation(), "missing", name.str(),
                "the SDK's headers do not declare it", "see the SDK's support table for what there is");
  note(trouble_.names, name.str());
  return true;
}

}  // namespace musashim::translator
