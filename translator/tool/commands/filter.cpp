#include "translator/tool/commands/filter.h"

#include <iostream>
#include <iterator>
#include <string>

#include "translator/lib/edit/apply.h"
#include "translator/lib/names/rules.h"
#include "translator/lib/names/symbols.h"
#include "translator/lib/port.h"
#include "translator/lib/report/diff.h"
#include "translator/lib/report/report.h"
#include "translator/tool/console.h"

namespace musashim::translator {

namespace {

constexpr const char* kName = "stdin";

}  // namespace

int runFilter(const Arguments& arguments) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  RuleSet rules;
  if (arguments.cudaFace) addFaceRules(rules);
  for (const std::filesystem::path& file : arguments.rules) loadRules(file, rules);
  const bool hasRules = arguments.cudaFace || !arguments.rules.empty();
  const Lexicon lexicon(arguments.reverse ? Direction::ToCuda : Direction::ToMusa,
                        hasRules ? &rules : nullptr);
  const Prefilter prefilter(lexicon);
  PortOptions options = arguments.port;
  options.lexicon = &lexicon;
  options.prefilter = &prefilter;
  Match found = findEdits(text, options, noProject());
  UserSymbols symbols;
  if (!arguments.reverse && !found.definitions.empty()) {
    // The names that the source has for itself stay.
    const FileDefinitions own{kName, found.definitions};
    symbols = symbolsOf({own}, lexicon);
    options.symbols = &symbols;
    if (const auto local = symbols.local.find(kName); local != symbols.local.end())
      options.localSymbols = &local->second;
    found = findEdits(text, options, noProject());
    for (Finding& finding : findingsOf(own, symbols)) found.findings.push_back(std::move(finding));
  }
  const bool diff = arguments.mode == Mode::Diff;
  print(stdout, diff ? unifiedDiff(kName, kName, text, found.edits) : applyEdits(text, found.edits));
  const ProjectFile file{"-", kName, kName, FileKind::Source};
  Report report(1);
  report.add(reportOf(file, text, std::move(found), false));
  if (!arguments.quiet || arguments.listUnported) print(stderr, report.diagnostics(arguments.listUnported));
  return exitCodeOf(arguments, report);
}

}  // namespace musashim::translator
