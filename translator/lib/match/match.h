#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "translator/lib/lex/token.h"
#include "translator/lib/options.h"
#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// Answers about the other files of the project, for #include.
class ProjectView {
 public:
  virtual ~ProjectView() = default;
  /// Does the include, written in the file being ported, name a file of the project? `quoted`: it is in
  /// quotes, which look beside the file first.
  virtual bool owns(std::string_view header, bool quoted) const = 0;
  /// The header's new name if that file is renamed (.cu -> .mu); empty if it is not.
  virtual std::string renamed(std::string_view header) const = 0;
};

/// Scans a source for match().
void scanFor(const PortOptions& options, std::string_view text, TokenStream& out);

/// Finds the uses of CUDA in one scanned source and says what becomes of each. Pure: reads its
/// arguments only. `out` is appended to.
void match(std::string_view text, const TokenStream& stream, const PortOptions& options,
           const ProjectView& project, Match& out);

}  // namespace musashim::translator
