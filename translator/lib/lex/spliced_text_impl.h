#pragma once

// A way through a source whose lines may go on behind a backslash: phases 1 and 2 of C++'s translation, kept
// reversible. In a header of its own so that scan.cpp, which alone includes it, inlines it.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "translator/lib/lex/word_bytes.h"

namespace musashim::translator {
namespace {

enum CharClass : std::uint8_t { kOther, kBlank, kNewline, kLetter, kDigit };

constexpr std::array<std::uint8_t, 256> makeClasses() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    if (kWordBytes[static_cast<std::size_t>(c)]) classes[c] = kLetter;
    if (c >= '0' && c <= '9') classes[c] = kDigit;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') classes[c] = kBlank;
    if (c == '\n') classes[c] = kNewline;
  }
  return classes;
}
constexpr auto kClasses = makeClasses();

CharClass classOf(char c) { return static_cast<CharClass>(kClasses[static_cast<unsigned char>(c)]); }

/// `at_` goes on from `begin_` to `end_`. What only looks takes a place; what consumes moves `at_`.
class SplicedText {
 protected:
  explicit SplicedText(std::string_view text)
      : begin_(text.data()), end_(text.data() + text.size()), at_(begin_) {}

  std::uint32_t offset(const char* place) const { return static_cast<std::uint32_t>(place - begin_); }

  char peek(const char* place) const { return place < end_ ? *place : '\0'; }

  /// After the backslash at `place`: the first byte of the next line, or null if no new-line follows.
  /// Compilers accept blanks between the two, so we do.
  const char* afterSplice(const char* place) const {
    if (peek(place) != '\\') return nullptr;
    const char* next = place + 1;
    while (next < end_ && classOf(*next) == kBlank) ++next;
    return next < end_ && *next == '\n' ? next + 1 : nullptr;
  }

  const char* skipSplices(const char* place) const {
    while (const char* next = afterSplice(place)) place = next;
    return place;
  }

  void skipByteOrderMark() {
    if (end_ - at_ >= 3 && std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) at_ += 3;
  }

  void skipIndent() {
    static constexpr std::string_view kBlanks = "        ";
    while (static_cast<std::size_t>(end_ - at_) >= kBlanks.size() &&
           std::memcmp(at_, kBlanks.data(), kBlanks.size()) == 0)
      at_ += kBlanks.size();
    while (at_ < end_ && *at_ == ' ') ++at_;
  }

  /// Consumes word characters across splices; true if there was one.
  bool eatWord() {
    bool spliced = false;
    for (;;) {
      at_ = endOfWord(at_, end_);
      if (peek(at_) != '\\') return spliced;
      const char* next = skipSplices(at_);
      if (next == at_ || next >= end_ || !isWordByte(*next)) return spliced;
      at_ = next;
      spliced = true;
    }
  }

  /// Behind the next "*/" from `place` on.
  const char* endOfBlockComment(const char* place) const {
    for (const char* from = place; from < end_;) {
      const auto* slash =
          static_cast<const char*>(std::memchr(from, '/', static_cast<std::size_t>(end_ - from)));
      if (!slash) break;
      if (slash > place && slash[-1] == '*') return slash + 1;
      from = slash + 1;
    }
    return end_;
  }

  /// To the new-line that ends the logical line (not consumed).
  void skipLine() {
    for (;;) {
      const void* found = at_ < end_ ? std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)) : nullptr;
      if (!found) {
        at_ = end_;
        return;
      }
      const char* newline = static_cast<const char*>(found);
      const char* last = newline;
      while (last > at_ && classOf(last[-1]) == kBlank) --last;
      if (last == at_ || last[-1] != '\\') {
        at_ = newline;
        return;
      }
      at_ = newline + 1;
    }
  }

  const char* begin_;
  const char* end_;
  const char* at_;
};

}  // namespace
}  // namespace musashim::translator
