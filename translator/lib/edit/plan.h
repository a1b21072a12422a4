#pragma once

#include <vector>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// Puts edits into source order and drops what has no effect or lies inside an edit before it (a whole
/// statement that was replaced). The result is ready for applyEdits().
void plan(std::string_view text, std::vector<Edit>& edits);

}  // namespace musashim::translator
