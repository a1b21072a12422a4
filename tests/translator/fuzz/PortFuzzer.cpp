// Any bytes: tokens are in order and inside the text, the port of the port is the port, and the text
// outside of the edits is untouched.

#include <cstdint>
#include <cstdlib>

#include "translator/lib/diff.h"
#include "translator/lib/plan.h"
#include "translator/lib/port.h"
#include "translator/lib/scan.h"

using namespace musashim::translator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void checkTokens(std::string_view text) {
  TokenStream stream;
  scan(text, stream);
  for (const auto* list : {&stream.tokens, &stream.comments}) {
    std::uint32_t done = 0;
    for (const Token& token : *list) {
      require(token.begin >= done && token.end >= token.begin && token.end <= text.size());
      done = token.end;
    }
  }
}

void checkEdits(std::string_view text, const PortedSource& ported) {
  std::size_t at = 0;
  std::uint32_t done = 0;
  const std::string_view result = ported.text;
  for (const Edit& edit : ported.edits) {
    require(edit.begin >= done && edit.end >= edit.begin && edit.end <= text.size());
    require(result.substr(at, edit.begin - done) == text.substr(done, edit.begin - done));
    at += edit.begin - done + edit.text.size();
    done = edit.end;
  }
  require(result.substr(at) == text.substr(done));
}

}  // namespace

/// What the prefilter lets pass as nothing is nothing.
void checkPrefilter(std::string_view text) {
  if (text.find('\0') != std::string_view::npos || text.starts_with("\xFF\xFE") ||
      text.starts_with("\xFE\xFF"))
    return;
  if (Prefilter::standard().mayMatter(text)) return;
  TokenStream stream;
  scan(text, stream);
  Match found;
  match(text, stream, {}, noProject(), found);
  plan(text, found.edits);
  require(found.edits.empty() && found.findings.empty() && found.definitions.empty());
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  checkTokens(text);
  checkPrefilter(text);
  const PortedSource once = portSource(text, {}, noProject());
  checkEdits(text, once);
  const PortedSource twice = portSource(once.text, {}, noProject());
  require(twice.text == once.text);
  (void)unifiedDiff("a", "b", text, once.edits);
  return 0;
}
