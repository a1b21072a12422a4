#pragma once

#include <span>
#include <string>
#include <string_view>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// The change as a unified diff that `git apply` and `patch -p1` take, a rename included; empty if there
/// is neither a change nor a rename. Made from the planned edits, so it costs no comparison.
std::string unifiedDiff(std::string_view oldName, std::string_view newName, std::string_view text,
                        std::span<const Edit> edits);

}  // namespace musashim::translator
