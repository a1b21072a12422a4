// Edits => changed line ranges => hunks with three lines of context.

#include "translator/lib/report/diff.h"

#include <algorithm>
#include <vector>

#include "translator/lib/edit/apply.h"

namespace musashim::translator {
namespace {

constexpr std::size_t kContext = 3;

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Old lines [first, last) become `text`.
struct Change {
  std::size_t first;
  std::size_t last;
  std::string text;
};

class LineIndex {
 public:
  explicit LineIndex(const std::vector<std::string_view>& lines, std::string_view text) {
    for (const std::string_view line : lines)
      starts_.push_back(static_cast<std::size_t>(line.data() - text.data()));
    starts_.push_back(text.size());
  }
  std::size_t lineAt(std::size_t offset) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end() - 1, offset) -
                                    starts_.begin()) -
           1;
  }
  std::size_t start(std::size_t line) const { return starts_[line]; }

 private:
  std::vector<std::size_t> starts_;
};

std::vector<Change> changesOf(std::string_view text, std::span<const Edit> edits, const LineIndex& index) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < edits.size();) {
    const std::size_t first = index.lineAt(edits[i].begin);
    std::size_t last = first + 1;
    std::size_t end = i;
    while (end < edits.size() && edits[end].begin < index.start(last)) {
      last = std::max(last, index.lineAt(std::max(edits[end].end, edits[end].begin + 1) - 1) + 1);
      ++end;
    }
    const std::size_t base = index.start(first);
    std::vector<Edit> local;
    for (std::size_t k = i; k < end; ++k) {
      local.push_back({static_cast<std::uint32_t>(edits[k].begin - base),
                       static_cast<std::uint32_t>(edits[k].end - base), edits[k].text});
    }
    changes.push_back({first, last, applyEdits(text.substr(base, index.start(last) - base), local)});
    i = end;
  }
  return changes;
}

void appendLine(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count) {
  const std::size_t shown = count == 0 ? first : first + 1;
  return std::to_string(shown) + (count == 1 ? "" : "," + std::to_string(count));
}

}  // namespace

std::string unifiedDiff(std::string_view oldName, std::string_view newName, std::string_view text,
                        std::span<const Edit> edits) {
  if (edits.empty() && oldName == newName) return {};
  const std::string a = "a/" + std::string(oldName);
  const std::string b = "b/" + std::string(newName);
  std::string out = "diff --git " + a + " " + b + "\n";
  if (oldName != newName)
    out += "rename from " + std::string(oldName) + "\nrename to " + std::string(newName) + "\n";
  if (edits.empty()) return out;
  out += "--- " + a + "\n+++ " + b + "\n";
  const std::vector<std::string_view> lines = linesOf(text);
  const LineIndex index(lines, text);
  const std::vector<Change> changes = changesOf(text, edits, index);
  std::ptrdiff_t shift = 0;
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t end = i + 1;
    while (end < changes.size() && changes[end].first - changes[end - 1].last <= 2 * kContext) ++end;
    const std::size_t first = changes[i].first > kContext ? changes[i].first - kContext : 0;
    const std::size_t last = std::min(changes[end - 1].last + kContext, lines.size());
    std::string body;
    std::size_t newCount = 0;
    std::size_t at = first;
    const auto keepUntil = [&](std::size_t stop) {
      for (; at < stop; ++at, ++newCount) appendLine(body, ' ', lines[at]);
    };
    for (; i < end; ++i) {
      keepUntil(changes[i].first);
      for (; at < changes[i].last; ++at) appendLine(body, '-', lines[at]);
      for (const std::string_view line : linesOf(changes[i].text)) {
        appendLine(body, '+', line);
        ++newCount;
      }
    }
    keepUntil(last);
    out += "@@ -" + range(first, last - first) + " +" +
           range(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + shift), newCount) + " @@\n" +
           body;
    shift += static_cast<std::ptrdiff_t>(newCount) - static_cast<std::ptrdiff_t>(last - first);
  }
  return out;
}

}  // namespace musashim::translator
