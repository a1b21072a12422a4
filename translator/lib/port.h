#pragma once

// The whole pipeline for one source: scan => match => plan => apply.

#include "translator/lib/match/match.h"

namespace musashim::translator {

/// `edits` are in source order.
struct PortedSource : Match {
  std::string text;
};

/// Ports one source held in memory. A text that cannot be read as C++ bytes (UTF-16, zero bytes, 2 GiB and
/// more) is returned unchanged with an Unported finding.
PortedSource portSource(std::string_view text, const PortOptions& options, const ProjectView& project);

/// What portSource() would do, without making the text. Nothing is found in most files, which costs little.
Match findEdits(std::string_view text, const PortOptions& options, const ProjectView& project);

/// For a source that stands alone.
const ProjectView& noProject();

}  // namespace musashim::translator
