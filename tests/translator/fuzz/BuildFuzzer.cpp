// Any bytes as a build file, a script or Python, whose name is the first line: edits are in order, inside the
// text and apart from each other, what is told lies inside the text, and the result can be ported again.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "translator/lib/build/build.h"
#include "translator/lib/build/dialect.h"
#include "translator/lib/edit/apply.h"
#include "translator/lib/port.h"

using namespace musashim::translator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string ported(std::string_view path, std::string_view text) {
  PortOptions options;
  BuildFacts facts;
  facts.torch = true;
  collectBuildFacts(path, text, facts);
  const Match match = findBuildEdits(path, text, options, noProject(), facts);
  std::uint32_t done = 0;
  for (const Edit& edit : match.edits) {
    require(edit.begin >= done && edit.end >= edit.begin && edit.end <= text.size());
    done = edit.end;
  }
  for (const Finding& finding : match.findings)
    require(finding.begin <= finding.end && finding.end <= text.size());
  return applyEdits(text, match.edits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  const std::string_view path = input.substr(0, line);
  if (dialectOf(path) == Dialect::None) return 0;
  ported(path, ported(path, input.substr(line + 1)));
  return 0;
}
