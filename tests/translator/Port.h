#pragma once

// Ports a snippet that stands alone.

#include <string>
#include <string_view>

#include "translator/lib/port.h"

namespace musashim::translator {

inline std::string ported(std::string_view text, const PortOptions& options = {}) {
  return portSource(text, options, noProject()).text;
}

/// Subjects of the findings of this kind, separated by blanks.
inline std::string subjects(std::string_view text, FindingKind kind) {
  std::string result;
  for (const Finding& finding : portSource(text, {}, noProject()).findings) {
    if (finding.kind == kind) result += (result.empty() ? "" : " ") + finding.subject;
  }
  return result;
}

}  // namespace musashim::translator
