#include "translator/lib/guards/number_flow.h"

#include <algorithm>
#include <array>

namespace musashim::translator {
namespace {

constexpr std::size_t kLongest = 4096;  // tokens that a list or the way to one may have

bool opens(const Cursor& cursor, std::size_t i) {
  return cursor.isMark(i, '(') || cursor.isMark(i, '[') || cursor.isMark(i, '{');
}
bool closes(const Cursor& cursor, std::size_t i) {
  return cursor.isMark(i, ')') || cursor.isMark(i, ']') || cursor.isMark(i, '}');
}

/// The bracket that closes the one at `open`, or the end of the source.
std::size_t closing(const Cursor& cursor, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < cursor.tokens.size(); ++i) {
    if (opens(cursor, i)) ++depth;
    if (closes(cursor, i) && --depth == 0) return i;
  }
  return cursor.tokens.size();
}

/// The bracket that opens the one closed at `close`; SIZE_MAX if it is far away.
std::size_t opening(const Cursor& cursor, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close; i < cursor.tokens.size() && close - i < kLongest; --i) {
    if (closes(cursor, i)) ++depth;
    if (opens(cursor, i) && --depth == 0) return i;
  }
  return SIZE_MAX;
}

bool isControl(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kWords = {"if",     "while",  "for",  "switch",
                                                             "return", "sizeof", "catch"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// The word before `(` at `open`, template arguments left out; SIZE_MAX if there is none.
std::size_t calledBefore(const Cursor& cursor, std::size_t open) {
  constexpr std::size_t kMostArguments = 32;
  std::size_t i = open - 1;
  if (cursor.isMark(i, '>')) {
    while (open - i < kMostArguments && !cursor.isMark(i, '<')) --i;
    --i;
  }
  return cursor.isWord(i) && !isControl(cursor.bytes(i)) ? i : SIZE_MAX;
}

/// Where the body of the function begins whose parameters end at `close`; SIZE_MAX: it is no definition.
std::size_t bodyBehind(const Cursor& cursor, std::size_t close) {
  bool initializes = false;
  for (std::size_t i = close + 1; i < cursor.tokens.size() && i - close < kLongest; ++i) {
    if (cursor.isMark(i, '{')) {
      // After a member's name it is the member's value.
      if (!initializes || !cursor.isWord(i - 1)) return i;
      i = closing(cursor, i);
    } else if (cursor.isMark(i, ':')) {
      initializes = true;
    } else if (cursor.isMark(i, '(') && (initializes || cursor.isWord(i - 1))) {
      i = closing(cursor, i);
    } else if (!cursor.isWord(i) && !cursor.isMark(i, mark::kArrow) && !cursor.isMark(i, mark::kScope) &&
               !cursor.isMark(i, '*') && !cursor.isMark(i, '&') && !(initializes && cursor.isMark(i, ','))) {
      return SIZE_MAX;
    }
  }
  return SIZE_MAX;
}

/// The name of parameter `place` of the list between the brackets; empty if it has none.
std::string_view parameterOf(const Cursor& cursor, std::size_t open, std::size_t close, std::size_t place) {
  std::string_view name;
  bool named = false;  // what follows is its default
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (opens(cursor, i) || cursor.isMark(i, '<')) ++depth;
    if (closes(cursor, i) || cursor.isMark(i, '>')) --depth;
    if (depth == 0 && cursor.isMark(i, ',')) {
      if (place-- == 0) return name;
      name = {}, named = false;
    } else if (depth == 0 && cursor.isMark(i, '=')) {
      named = true;
    } else if (depth == 0 && cursor.isWord(i) && !named) {
      name = cursor.bytes(i);
    }
  }
  return place == 0 ? name : std::string_view();
}

}  // namespace

std::optional<PassedValue> passedAt(const Cursor& cursor, std::size_t edge) {
  if (!cursor.isMark(edge, '(') && !cursor.isMark(edge, ',')) return std::nullopt;
  std::size_t place = 0;
  int depth = 0;
  for (std::size_t i = edge; i < cursor.tokens.size() && edge - i < kLongest; --i) {
    if (closes(cursor, i)) {
      ++depth;
    } else if (opens(cursor, i)) {
      if (depth-- > 0) continue;
      if (!cursor.isMark(i, '(')) return std::nullopt;
      const std::size_t called = calledBefore(cursor, i);
      if (called == SIZE_MAX) return std::nullopt;
      return PassedValue{cursor.bytes(called), place};
    } else if (depth == 0 && cursor.isMark(i, ',')) {
      ++place;
    } else if (cursor.isMark(i, ';')) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::vector<ReceivedValue> receiversOf(const Cursor& cursor, const PassedValue& value) {
  std::vector<ReceivedValue> result;
  for (std::size_t i = 0; i < cursor.tokens.size(); ++i) {
    if (!cursor.isWord(i) || !cursor.isMark(i + 1, '(') || cursor.bytes(i) != value.function) continue;
    const std::size_t close = closing(cursor, i + 1);
    const std::size_t body = bodyBehind(cursor, close);
    if (body == SIZE_MAX) continue;
    const std::string_view name = parameterOf(cursor, i + 1, close, value.place);
    if (!name.empty()) result.push_back({name, close + 1, body, closing(cursor, body)});
  }
  return result;
}

std::string_view functionAround(const Cursor& cursor, std::size_t index) {
  int depth = 0;
  for (std::size_t i = index; i < cursor.tokens.size(); --i) {
    if (cursor.isMark(i, '}')) ++depth;
    if (!cursor.isMark(i, '{') || depth-- > 0) continue;
    depth = 0;
    std::size_t close = i - 1;  // behind const, noexcept and the like
    while (cursor.isWord(close) && i - close < 8) --close;
    if (!cursor.isMark(close, ')')) continue;
    const std::size_t open = opening(cursor, close);
    if (open == SIZE_MAX) return {};
    const std::size_t called = calledBefore(cursor, open);
    if (called != SIZE_MAX) return cursor.bytes(called);
  }
  return {};
}

}  // namespace musashim::translator
