#pragma once

#include <string_view>
#include <vector>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// Idioms that mean NVIDIA's platform though no name of its API stands there, as far as words tell:
/// texture references. `text` is the source before the port.
std::vector<Finding> auditWords(std::string_view text);

}  // namespace musashim::translator
