#include "translator/lib/merge/merge.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace musashim::translator {
namespace {

using Lines = std::vector<std::string_view>;  // each with its end
using Span = std::span<const std::string_view>;
constexpr std::ptrdiff_t kNone = -1;
constexpr std::ptrdiff_t kMostEdits = 3000;  // beyond, all between the common ends counts as changed

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

/// Myers' greedy search for the fewest edits, walked back over what each step had reached.
void matchMiddle(Span a, Span b, std::ptrdiff_t beginA, std::ptrdiff_t beginB,
                 std::vector<std::ptrdiff_t>& matches) {
  const auto n = static_cast<std::ptrdiff_t>(a.size()), m = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t most = std::min(n + m, kMostEdits);
  std::vector<std::vector<std::int32_t>> trace;
  std::vector<std::int32_t> reached(static_cast<std::size_t>(2 * most + 3), 0);
  const auto at = [most](std::ptrdiff_t k) { return static_cast<std::size_t>(k + most + 1); };
  const auto comesDown = [](std::ptrdiff_t k, std::ptrdiff_t d, std::int32_t below, std::int32_t above) {
    return k == -d || (k != d && below < above);
  };
  for (std::ptrdiff_t d = 0; d <= most; ++d) {
    // Of a step's diagonals only those within d are needed again.
    trace.emplace_back(reached.begin() + static_cast<std::ptrdiff_t>(at(-d - 1)),
                       reached.begin() + static_cast<std::ptrdiff_t>(at(d + 1)) + 1);
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      std::ptrdiff_t x = comesDown(k, d, reached[at(k - 1)], reached[at(k + 1)]) ? reached[at(k + 1)]
                                                                                 : reached[at(k - 1)] + 1;
      while (x < n && x - k < m && x - k >= 0 &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
        ++x;
      reached[at(k)] = static_cast<std::int32_t>(x);
      if (x < n || x - k < m) continue;
      std::ptrdiff_t y = x - k;
      for (; d >= 0; --d) {
        const auto& before = trace[static_cast<std::size_t>(d)];
        const auto was = [&](std::ptrdiff_t line) { return before[static_cast<std::size_t>(line + d + 1)]; };
        const std::ptrdiff_t from =
            comesDown(x - y, d, was(x - y - 1), was(x - y + 1)) ? x - y + 1 : x - y - 1;
        const std::ptrdiff_t endX = d == 0 ? 0 : was(from), endY = d == 0 ? 0 : endX - from;
        while (x > endX && y > endY) {
          --x, --y;
          matches[static_cast<std::size_t>(beginA + x)] = beginB + y;
        }
        x = endX, y = endY;
      }
      return;
    }
  }
}

/// For each line of `a` the line of `b` that it is, or kNone.
std::vector<std::ptrdiff_t> matchLines(Span a, Span b) {
  std::vector<std::ptrdiff_t> matches(a.size(), kNone);
  std::size_t head = 0, tail = 0;
  const std::size_t shorter = std::min(a.size(), b.size());
  for (; head < shorter && a[head] == b[head]; ++head) matches[head] = static_cast<std::ptrdiff_t>(head);
  for (; tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]; ++tail)
    matches[a.size() - 1 - tail] = static_cast<std::ptrdiff_t>(b.size() - 1 - tail);
  matchMiddle(a.subspan(head, a.size() - head - tail), b.subspan(head, b.size() - head - tail),
              static_cast<std::ptrdiff_t>(head), static_cast<std::ptrdiff_t>(head), matches);
  return matches;
}

class Merge {
 public:
  Merge(std::string_view base, std::string_view ours, std::string_view theirs)
      : base_(linesOf(base)), ours_(linesOf(ours)), theirs_(linesOf(theirs)) {}

  Merged run() {
    const auto toOurs = matchLines(base_, ours_), toTheirs = matchLines(base_, theirs_);
    std::size_t o = 0, a = 0, b = 0;
    for (;;) {
      std::size_t next = o;
      while (next < base_.size() && (toOurs[next] == kNone || toTheirs[next] == kNone)) ++next;
      const bool end = next == base_.size();
      const std::size_t nextA = end ? ours_.size() : static_cast<std::size_t>(toOurs[next]);
      const std::size_t nextB = end ? theirs_.size() : static_cast<std::size_t>(toTheirs[next]);
      piece(Span(base_).subspan(o, next - o), Span(ours_).subspan(a, nextA - a),
            Span(theirs_).subspan(b, nextB - b));
      if (end) return std::move(merged_);
      put(base_[next]);
      o = next + 1, a = nextA + 1, b = nextB + 1;
    }
  }

 private:
  void put(std::string_view line) {
    merged_.text += line;
    ++line_;
  }
  void put(Span lines) {
    for (const std::string_view line : lines) put(line);
  }
  void mark(std::string_view text) {
    if (!merged_.text.empty() && merged_.text.back() != '\n') merged_.text += '\n';
    put(text);
  }

  void piece(Span base, Span ours, Span theirs) {
    if (std::ranges::equal(ours, theirs) || std::ranges::equal(base, theirs)) return put(ours);
    if (std::ranges::equal(base, ours)) return put(theirs);
    std::size_t head = 0, tail = 0;
    const std::size_t shorter = std::min(ours.size(), theirs.size());
    while (head < shorter && ours[head] == theirs[head]) ++head;
    while (tail < shorter - head && ours[ours.size() - 1 - tail] == theirs[theirs.size() - 1 - tail]) ++tail;
    put(ours.first(head));
    merged_.conflicts.push_back(line_);
    mark("<<<<<<< edited here\n");
    put(ours.subspan(head, ours.size() - head - tail));
    mark("=======\n");
    put(theirs.subspan(head, theirs.size() - head - tail));
    mark(">>>>>>> ported again\n");
    put(ours.last(tail));
  }

  Lines base_, ours_, theirs_;
  Merged merged_;
  std::size_t line_ = 1;
};

}  // namespace

Merged mergeTexts(std::string_view base, std::string_view ours, std::string_view theirs) {
  return Merge(base, ours, theirs).run();
}

}  // namespace musashim::translator
