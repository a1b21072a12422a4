#include <fmt/format.h>

#include "translator/lib/report/formats.h"
#include "translator/lib/report/severity.h"

namespace musashim::translator {
namespace {

std::string inQuotes(std::string_view field) {
  std::string text = "\"";
  for (const char letter : field) {
    if (letter == '"') text += '"';
    text += letter;
  }
  return text + '"';
}

}  // namespace

std::string csvOf(const Report& report) {
  std::string out = "file,line,column,severity,kind,library,subject,reason,remedy\r\n";
  for (const FileReport& file : report.files()) {
    for (const auto& [finding, place] : file.findings) {
      const Severity severity = severityOf(finding.kind);
      if (severity == Severity::None) continue;
      out += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", inQuotes(file.file->relative), place.line,
                         place.column, nameOf(severity), nameOf(finding.kind), inQuotes(finding.library),
                         inQuotes(finding.subject), inQuotes(finding.reason), inQuotes(finding.remedy));
    }
  }
  return out;
}

}  // namespace musashim::translator
