#pragma once

// How much a finding asks of its reader.

#include <cstdint>
#include <string_view>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

enum class Severity : std::uint8_t { None, Note, Warning, Error };

/// Error: left unported. Warning: ported, but not portable. Note: wants a look. None: done.
constexpr Severity severityOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::Unported:
    case FindingKind::Conflict:
      return Severity::Error;
    case FindingKind::Audit:
      return Severity::Warning;
    case FindingKind::Note:
      return Severity::Note;
    default:
      return Severity::None;
  }
}

/// SARIF's words.
constexpr std::string_view nameOf(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
    case Severity::None:
      break;
  }
  return "none";
}

}  // namespace musashim::translator
