// Any bytes: tokens are in order and inside the text, the port of the port is the port, the text outside of
// the edits is untouched, and what the port skips to be fast would have been left alone anyway.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "translator/lib/lex/scan.h"
#include "translator/lib/port.h"
#include "translator/lib/report/diff.h"

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

/// What the shortcuts skip is nothing.
void checkShortcuts(std::string_view text, const PortOptions& options) {
  PortOptions thorough = options;
  thorough.shortcuts = false;
  const Match one = findEdits(text, options, noProject());
  const Match other = findEdits(text, thorough, noProject());
  const auto sameEdit = [](const Edit& a, const Edit& b) {
    return a.begin == b.begin && a.end == b.end && std::string_view(a.text) == b.text;
  };
  const auto sameFinding = [](const Finding& a, const Finding& b) {
    return a.kind == b.kind && a.begin == b.begin && a.end == b.end && a.subject == b.subject &&
           a.library == b.library && a.reason == b.reason;
  };
  const auto sameDefinition = [](const Definition& a, const Definition& b) {
    return a.kind == b.kind && a.begin == b.begin && a.name == b.name && a.space == b.space &&
           a.local == b.local;
  };
  require(std::ranges::equal(one.edits, other.edits, sameEdit));
  require(std::ranges::equal(one.findings, other.findings, sameFinding));
  require(std::ranges::equal(one.definitions, other.definitions, sameDefinition));
  require(one.counts == other.counts && one.names == other.names);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  checkTokens(text);
  checkShortcuts(text, {});
  const PortedSource once = portSource(text, {}, noProject());
  checkEdits(text, once);
  const PortedSource twice = portSource(once.text, {}, noProject());
  require(twice.text == once.text);
  (void)unifiedDiff("a", "b", text, once.edits);
  return 0;
}
