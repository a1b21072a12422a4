#pragma once

// What the port of a build file, a script or a Python source writes down: edits, and what is left.

#include <cstddef>
#include <string>
#include <string_view>

#include "translator/lib/match/match.h"

namespace musashim::translator {

class BuildEditor {
 public:
  BuildEditor(std::string_view text, const PortOptions& options, const ProjectView& project, Match& out)
      : text_(text), options_(options), project_(project), out_(out) {}

  std::string_view text() const { return text_; }
  const PortOptions& options() const { return options_; }
  const ProjectView& project() const { return project_; }

  /// [begin, end) becomes `by`.
  void replace(std::size_t begin, std::size_t end, std::string_view by, FindingKind kind = FindingKind::Name);
  /// New text before `at`.
  void insert(std::size_t at, std::string_view text);
  /// Stays as it is, and is reported.
  void leave(std::size_t begin, std::size_t end, const Advice& advice);
  /// Is ported, but wants a look.
  void note(std::size_t begin, std::size_t end, std::string reason, std::string remedy);
  /// C or C++ inside of the file: ported as a source is.
  void portSource(std::size_t begin, std::size_t end);

 private:
  std::string_view text_;
  const PortOptions& options_;
  const ProjectView& project_;
  Match& out_;
};

}  // namespace musashim::translator
