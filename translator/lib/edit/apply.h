#pragma once

#include <span>
#include <string>
#include <string_view>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// `text` with planned edits applied; every byte outside of them is copied as it is.
std::string applyEdits(std::string_view text, std::span<const Edit> edits);

}  // namespace musashim::translator
