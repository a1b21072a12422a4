#include "translator/lib/plan.h"

#include <algorithm>

namespace musashim::translator {

void plan(std::string_view text, std::vector<Edit>& edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::uint32_t done = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    if (edit.begin < done || text.substr(edit.begin, edit.end - edit.begin) == edit.text) return true;
    done = edit.end;
    return false;
  });
}

}  // namespace musashim::translator
