#include "translator/lib/edit/apply.h"

namespace musashim::translator {

std::string applyEdits(std::string_view text, std::span<const Edit> edits) {
  std::size_t size = text.size();
  for (const Edit& edit : edits) size = size - (edit.end - edit.begin) + edit.text.size();
  std::string result;
  result.reserve(size);
  std::uint32_t done = 0;
  for (const Edit& edit : edits) {
    result.append(text.substr(done, edit.begin - done));
    result.append(edit.text);
    done = edit.end;
  }
  result.append(text.substr(done));
  return result;
}

}  // namespace musashim::translator
