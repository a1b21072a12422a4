#include "translator/lib/plan.h"

#include <algorithm>

namespace musashim::translator {

void plan(std::string_view text, std::vector<Edit>& edits) {
  const auto comesBefore = [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  };
  // Those of the code come in order, those of the comments behind them.
  if (!std::is_sorted(edits.begin(), edits.end(), comesBefore))
    std::sort(edits.begin(), edits.end(), comesBefore);
  std::uint32_t done = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    if (edit.begin < done || text.substr(edit.begin, edit.end - edit.begin) == edit.text) return true;
    done = edit.end;
    return false;
  });
}

}  // namespace musashim::translator
