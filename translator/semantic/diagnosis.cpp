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

/// Does `<<<` follow the name at `place`, perhaps behind template arguments?
bool isLaunch(const SourceManager& sources, SourceLocation place) {
  LangOptions language;
  language.CPlusPlus = language.CUDA = true;
  place = sources.getSpellingLoc(place);
  for (int tokens = 0; tokens < 64; ++tokens) {
    const auto next = Lexer::findNextToken(place, sources, language);
    if (!next || next->isOneOf(tok::l_paren, tok::semi, tok::l_brace)) return false;
    if (next->is(tok::lesslessless)) return true;
    place = next->getLocation();
  }
  return false;
}

/// `kernel<<<...>>>` in device code: mcc compiles that. Other uses of a kernel it refuses.
bool isDeviceLaunch(const Diagnostic& diagnostic) {
  return diagnostic.getArgKind(0) == DiagnosticsEngine::ak_sint &&
         diagnostic.getArgSInt(0) == static_cast<int>(CUDAFunctionTarget::Global) &&
         isLaunch(diagnostic.getSourceManager(), diagnostic.getLocation());
}

std::string textOf(const Diagnostic& diagnostic) {
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  return message.str().str();
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
  if (wrongSide && isDeviceLaunch(diagnostic))
    return nestedLaunch(diagnostic.getSourceManager(), diagnostic.getLocation(), textOf(diagnostic));
  if (level < DiagnosticsEngine::Error && !wrongSide) return handleNote(diagnostic);
  DiagnosticConsumer::HandleDiagnostic(DiagnosticsEngine::Error, diagnostic);
  noMatch_ = {};
  if (isMissingHeader(diagnostic) || isMissingName(diagnostic)) return;
  const std::string message = textOf(diagnostic);
  ++trouble_.errors;
  if (diagnostic.getID() == diag::err_ovl_no_viable_function_in_call &&
      isLaunch(diagnostic.getSourceManager(), diagnostic.getLocation()))
    noMatch_ = {diagnostic.getLocation(), message, trouble_.error.empty()};
  if (trouble_.error.empty()) trouble_.error = message;
}

/// Of a kernel template that device code launches, clang says at first that nothing matches.
void Diagnosis::handleNote(const Diagnostic& diagnostic) {
  if (noMatch_.place.isInvalid() || diagnostic.getID() != diag::note_ovl_candidate_bad_target) return;
  if (!StringRef(textOf(diagnostic)).contains("call to __global__ function from")) return;
  --trouble_.errors;
  if (noMatch_.first) trouble_.error.clear();
  nestedLaunch(diagnostic.getSourceManager(), noMatch_.place, noMatch_.message);
  noMatch_ = {};
}

/// Clang keeps no expression of it, so the visitor will not see it.
void Diagnosis::nestedLaunch(const SourceManager& sources, SourceLocation place, const std::string& message) {
  reportNestedLaunch(facts_, sources, place, firstQuoted(message).str());
}

bool Diagnosis::isMissingHeader(const Diagnostic& diagnostic) {
  const unsigned id = diagnostic.getID();
  if (id == diag::err_pp_file_not_found || id == diag::err_pp_file_not_found_typo_not_fatal) {
    const std::string header = firstQuoted(textOf(diagnostic)).str();
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
  while (place.isValid() && facts_.fileOf(sources, place) == SIZE_MAX)
    place = sources.getIncludeLoc(sources.getFileID(place));
  if (place.isValid())
    facts_.report(sources, place.getLocWithOffset(1), "header", header.str(), textOf(diagnostic), "");
  note(trouble_.headers, header.str());
  return true;
}

/// "use of undeclared identifier 'musaX'", "unknown type name 'musaX_t'"
bool Diagnosis::isMissingName(const Diagnostic& diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return false;
  const unsigned id = diagnostic.getID();
  if (id != diag::err_undeclared_var_use && id != diag::err_unknown_typename && id != diag::err_no_member)
    return false;
  const std::string message = textOf(diagnostic);
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
