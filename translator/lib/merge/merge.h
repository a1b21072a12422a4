#pragma once

// Three-way merge of texts by lines, as git merges.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

struct Merged {
  std::string text;
  std::vector<std::size_t> conflicts;  // lines of the text, from 1, where one begins
};

/// What `ours` and `theirs` made of `base`. Where both changed the same lines, both stand between git's
/// marks.
Merged mergeTexts(std::string_view base, std::string_view ours, std::string_view theirs);

}  // namespace musashim::translator
