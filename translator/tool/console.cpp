#include "translator/tool/console.h"

#include <cerrno>
#include <string>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

void tellMeaning(const SemanticOutcome& semantic) {
  for (const std::string& remark : semantic.remarks) print(stderr, remark + "\n");
  const std::size_t all = semantic.understood + semantic.inPart + semantic.notUnderstood;
  print(stderr, std::to_string(semantic.understood) + " of " + std::to_string(all) +
                    " compilations without an error, " + std::to_string(semantic.inPart) +
                    " understood in part, " + std::to_string(semantic.notUnderstood) + " not understood\n");
}

void tellChanges(const Report& report) {
  for (const FileReport& file : report.files()) {
    for (const PlacedFinding& one : file.findings) {
      if (one.finding.kind >= FindingKind::Unported) continue;
      print(stderr, std::string(file.file->relative) + ":" + std::to_string(one.place.line) + ": converted " +
                        one.finding.subject + "\n");
    }
  }
}

}  // namespace

void print(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0) {
    throw systemError(stream == stdout ? "standard output" : "standard error", "write", errno);
  }
}

int exitCodeOf(const Arguments& arguments, const Report& report) {
  if (arguments.strict && report.unported() > 0) return kExitUnported;
  if (!arguments.exitBySeverity) return kExitDone;
  switch (report.gravest()) {
    case Severity::Error:
      return kExitUnported;
    case Severity::Warning:
      return kExitNotPortable;
    case Severity::Note:
      return kExitNoted;
    case Severity::None:
      break;
  }
  return kExitDone;
}

void tell(const Arguments& arguments, const Report& report, const SemanticOutcome& semantic) {
  if (arguments.verbose) {
    for (const FileReport& file : report.files()) {
      print(stderr, std::string(file.file->relative) + " -> " + std::string(file.target()) + ": " +
                        std::to_string(file.edits) + " edits\n");
    }
  }
  if (arguments.tellChanges) tellChanges(report);
  if (!arguments.quiet || arguments.listUnported) print(stderr, report.diagnostics(arguments.listUnported));
  if (arguments.semantic && !arguments.quiet) tellMeaning(semantic);
  if (arguments.summary == SummaryFormat::None) return;
  // The diff owns standard output.
  std::FILE* stream = arguments.mode == Mode::Diff ? stderr : stdout;
  if (arguments.summary == SummaryFormat::Json) return print(stream, report.json());
  if (!arguments.quiet) print(stream, report.text());
}

}  // namespace musashim::translator
