#include "translator/lib/match/exclusions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "translator/lib/lex/byte_masks.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kMarker = "_EXCL_";

/// From `from` on; by its rarest characters.
std::size_t findMarker(std::string_view text, std::size_t from) {
  constexpr std::size_t kRare = kMarker.find("XC");
  for (std::size_t at = findBytes(text, 'X', 'C', from + kRare); at != std::string_view::npos;
       at = findBytes(text, 'X', 'C', at + 1)) {
    if (text.substr(at - kRare).starts_with(kMarker)) return at - kRare;
  }
  return std::string_view::npos;
}

/// Byte ranges that MUSAPORT_EXCL_* and musify's MUSIFY_EXCL_* take out, in order: LINE the line,
/// START .. STOP the lines from one to the other, FILE everything.
std::vector<std::pair<std::uint32_t, std::uint32_t>> excludedRanges(std::string_view text) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::size_t at = findMarker(text, 0); at != std::string_view::npos; at = findMarker(text, at)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view rest = text.substr(at + kMarker.size());
    std::size_t lineBegin = text.rfind('\n', at) + 1;
    std::size_t end = at + kMarker.size();
    if (!before.ends_with("MUSIFY") && !before.ends_with("MUSAPORT")) {
      lineBegin = end;
    } else if (rest.starts_with("FILE")) {
      return {{0, static_cast<std::uint32_t>(text.size())}};
    } else if (rest.starts_with("LINE")) {
      end = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("START")) {
      const std::size_t stop = text.find("_EXCL_STOP", at);
      end = stop == std::string_view::npos ? text.size() : std::min(text.find('\n', stop), text.size());
    } else {
      lineBegin = end;
    }
    if (lineBegin < end)
      ranges.emplace_back(static_cast<std::uint32_t>(lineBegin), static_cast<std::uint32_t>(end));
    at = end;
  }
  return ranges;
}

}  // namespace

void dropExcluded(std::string_view text, Match& found) {
  const auto ranges = excludedRanges(text);
  if (ranges.empty()) return;
  const auto excluded = [&](const auto& item) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
      return item.begin < range.second && range.first < item.end;
    });
  };
  std::erase_if(found.edits, excluded);
  std::erase_if(found.findings, excluded);
  std::erase_if(found.definitions, [&](const Definition& item) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
      return range.first <= item.begin && item.begin < range.second;
    });
  });
}

}  // namespace musashim::translator
