#include "translator/lib/match/qualification.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace musashim::translator {
namespace {

/// Keywords, none of which can be a qualifier; sorted.
constexpr std::array<std::string_view, 55> kKeywords = {
    "and",       "auto",      "case",      "class",     "co_await", "co_return", "co_yield",     "const",
    "consteval", "constexpr", "constinit", "decltype",  "default",  "delete",    "do",           "else",
    "enum",      "explicit",  "export",    "extern",    "final",    "friend",    "goto",         "if",
    "inline",    "long",      "mutable",   "namespace", "new",      "noexcept",  "not",          "operator",
    "or",        "override",  "private",   "protected", "public",   "register",  "requires",     "return",
    "short",     "signed",    "sizeof",    "static",    "struct",   "template",  "thread_local", "throw",
    "typedef",   "typename",  "union",     "unsigned",  "using",    "virtual",   "volatile"};
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

bool isMacroLike(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

/// __device__, __forceinline__, __inline, but not __gnu_cxx
bool isSpecifier(std::string_view word) {
  return word.starts_with("__") && (word.ends_with("__") || word == "__inline" || word == "__forceinline");
}

}  // namespace

bool isGlobalScope(const Cursor& cursor, std::size_t scope) {
  // D<T>::name, a > ::name
  const bool touches = scope > 0 && cursor.at(scope - 1).end == cursor.at(scope).begin;
  if (cursor.isMark(scope - 1, '>')) return !touches;
  if (!cursor.isWord(scope - 1)) return true;
  const std::string_view before = cursor.bytes(scope - 1);
  if (std::binary_search(kKeywords.begin(), kKeywords.end(), before) || isSpecifier(before)) return true;
  // Nobody leaves a blank behind a qualifier, but MY_API ::cudaError_t f() needs one.
  return !touches && isMacroLike(before);
}

}  // namespace musashim::translator
