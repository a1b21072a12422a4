#include "translator/lib/port.h"

#include <limits>

#include "translator/lib/apply.h"
#include "translator/lib/plan.h"
#include "translator/lib/scan.h"

namespace musashim::translator {
namespace {

class NoProject final : public ProjectView {
 public:
  bool owns(std::string_view) const override { return false; }
  std::string renamed(std::string_view) const override { return {}; }
};

PortedSource unreadable(std::string_view text, std::string_view reason, std::string_view remedy) {
  return {std::string(text), {}, {{FindingKind::Unported, 0, 0, "file", "", reason, remedy}}};
}

}  // namespace

PortedSource portSource(std::string_view text, const PortOptions& options, const ProjectView& project) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return unreadable(text, "the text is UTF-16", "convert it to UTF-8 first");
  }
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return unreadable(text, "the file is larger than 2 GiB", "split it");
  }
  // Kept between files: growing it anew costs more than scanning.
  thread_local TokenStream stream;
  scan(text, stream);
  Match found;
  match(text, stream, options, project, found);
  plan(text, found.edits);
  std::string result = applyEdits(text, found.edits);
  return {std::move(result), std::move(found.edits), std::move(found.findings)};
}

const ProjectView& noProject() {
  static const NoProject none;
  return none;
}

}  // namespace musashim::translator
