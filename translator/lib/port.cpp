#include "translator/lib/port.h"

#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "translator/lib/edit/apply.h"
#include "translator/lib/edit/plan.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/match/exclusions.h"
#include "translator/lib/names/rule_words.h"

namespace musashim::translator {
namespace {

class NoProject final : public ProjectView {
 public:
  bool owns(std::string_view, bool) const override { return false; }
  std::string renamed(std::string_view) const override { return {}; }
};

Match unreadable(std::string reason, std::string remedy) {
  Match result;
  result.findings.push_back({FindingKind::Unported, 0, 0, "file", "", std::move(reason), std::move(remedy)});
  return result;
}

}  // namespace

Match findEdits(std::string_view text, const PortOptions& options, const ProjectView& project) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return unreadable("the text is UTF-16", "convert it to UTF-8 first");
  }
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return unreadable("the file is larger than 2 GiB", "split it");
  }
  if (std::memchr(text.data(), 0, text.size())) {
    return unreadable("it holds zero bytes, so it is no text", "convert it to UTF-8 if it is text");
  }
  Match result;
  if (options.onlyRules) {
    result = findWords(text, *options.onlyRules, options.lexicon->direction());
    dropExcluded(text, result);
    return result;
  }
  if (options.shortcuts && !options.prefilter->mayMatter(text)) return result;
  // Kept between files: growing it anew costs more than scanning. Operands of asm come here again.
  thread_local std::vector<std::unique_ptr<TokenStream>> streams;
  thread_local std::size_t depth = 0;
  if (streams.size() == depth) streams.push_back(std::make_unique<TokenStream>());
  TokenStream& stream = *streams[depth++];
  scanFor(options, text, stream);
  match(text, stream, options, project, result);
  --depth;
  plan(text, result.edits);
  return result;
}

PortedSource portSource(std::string_view text, const PortOptions& options, const ProjectView& project) {
  PortedSource result{findEdits(text, options, project), {}};
  result.text = applyEdits(text, result.edits);
  return result;
}

const ProjectView& noProject() {
  static const NoProject none;
  return none;
}

}  // namespace musashim::translator
