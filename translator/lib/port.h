#pragma once

// The whole pipeline for one source: scan => match => plan => apply.

#include "translator/lib/match.h"

namespace musashim::translator {

struct PortedSource {
  std::string text;
  std::vector<Edit> edits;  // in source order
  std::vector<Finding> findings;
};

/// Ports one source held in memory. A text that cannot be read as C++ bytes (UTF-16, 2 GiB and more) is
/// returned unchanged with an Unported finding.
PortedSource portSource(std::string_view text, const PortOptions& options, const ProjectView& project);

/// For a source that stands alone.
const ProjectView& noProject();

}  // namespace musashim::translator
