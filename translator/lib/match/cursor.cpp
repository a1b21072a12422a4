#include "translator/lib/match/cursor.h"

#include <algorithm>

namespace musashim::translator {
namespace {

/// Byte offset, inside the token, of each character of its spelling, and of the end.
std::vector<std::uint32_t> spellingOffsets(std::string_view bytes) {
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\\') {
      i = static_cast<std::uint32_t>(bytes.find('\n', i));
    } else {
      offsets.push_back(i);
    }
  }
  offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
  return offsets;
}

/// The backslash-newlines of `bytes`, with nothing between them.
std::string splicesOf(std::string_view bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\\') continue;
    const std::size_t newline = bytes.find('\n', i);
    result += bytes.substr(i, newline - i + 1);
    i = newline;
  }
  return result;
}

}  // namespace

void Cursor::rename(const Token& token, std::string_view target) {
  if (!token.spliced) return edit(token.begin, token.end, EditText(target));
  const std::string old = spelling(token, text);
  const std::size_t shorter = std::min(old.size(), target.size());
  std::size_t head = 0;
  while (head < shorter && old[head] == target[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && old[old.size() - 1 - tail] == target[target.size() - 1 - tail]) ++tail;
  const std::string_view raw = bytesOf(token, text);
  const std::vector<std::uint32_t> offsets = spellingOffsets(raw);
  const std::uint32_t from = offsets[head];
  const std::uint32_t to = offsets[old.size() - tail];
  edit(
      token.begin + from, token.begin + to,
      std::string(target.substr(head, target.size() - tail - head)) + splicesOf(raw.substr(from, to - from)));
}

void Cursor::report(FindingKind kind, const Token& token, std::string_view subject, std::string_view library,
                    const Advice& advice) {
  out.findings.push_back({kind, token.begin, token.end, std::string(subject), library,
                          std::string(advice.reason), std::string(advice.remedy)});
}

}  // namespace musashim::translator
