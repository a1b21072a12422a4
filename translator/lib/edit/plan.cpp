#include "translator/lib/edit/plan.h"

#include <algorithm>
#include <iterator>

namespace musashim::translator {

void plan(std::string_view text, std::vector<Edit>& edits) {
  const auto comesBefore = [](const Edit& a, const Edit& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    const bool inserts = a.begin == a.end;
    return inserts != (b.begin == b.end) ? inserts : a.end > b.end;
  };
  // Those of the code come in order, those of guards and comments behind them.
  const auto others = std::is_sorted_until(edits.begin(), edits.end(), comesBefore);
  if (others != edits.end()) {
    std::sort(others, edits.end(), comesBefore);
    std::vector<Edit> merged;
    merged.reserve(edits.size());
    const auto moved = [](auto place) { return std::make_move_iterator(place); };
    std::merge(moved(edits.begin()), moved(others), moved(others), moved(edits.end()),
               std::back_inserter(merged), comesBefore);
    edits = std::move(merged);
  }
  std::uint32_t done = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    const std::string_view before = text.substr(edit.begin, edit.end - edit.begin), after = edit.text;
    // Most differ in their first letter.
    const bool differs = !before.empty() && !after.empty() && before[0] != after[0];
    if (edit.begin < done || (!differs && before == after)) return true;
    done = edit.end;
    return false;
  });
}

}  // namespace musashim::translator
