#pragma once

// Words of the user's rules alone, wherever they stand: what musify-text does with --clear-mapping.

#include <string_view>

#include "translator/lib/names/lexicon.h"
#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// Each name and header of the rules that stands as a whole word, the longest that fits, in any text,
/// comments and strings included.
Match findWords(std::string_view text, const RuleSet& rules, Direction direction);

}  // namespace musashim::translator
