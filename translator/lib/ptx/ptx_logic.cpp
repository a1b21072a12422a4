// f(a, b, c) = a ? f1(b, c) : f0(b, c), where f1 and f0 are two of the 16 functions of two words.

#include "translator/lib/ptx/ptx_logic.h"

#include <array>

namespace musashim::translator {
namespace {

constexpr std::array<const char*, 16> kOfTwo = {
    "0u",      "~($2 | $3)", "~$2 & $3", "~$2",      "$2 & ~$3", "~$3",      "$2 ^ $3", "~($2 & $3)",
    "$2 & $3", "~($2 ^ $3)", "$3",       "~$2 | $3", "$2",       "$2 | ~$3", "$2 | $3", "~0u"};

std::string bracketed(unsigned function) {
  const std::string text = kOfTwo[function];
  return text.find(' ') == std::string::npos || text[1] == '(' ? text : "(" + text + ")";
}

}  // namespace

std::string logicOf(unsigned table) {
  const unsigned with = table >> 4 & 15U;
  const unsigned without = table & 15U;
  if (with == without) return kOfTwo[with];
  if ((with ^ without) == 15U) {
    if (without == 0) return "$1";
    return without == 15U ? "~$1" : "$1 ^ " + bracketed(without);
  }
  if (without == 0) return "$1 & " + bracketed(with);
  if (with == 0) return "~$1 & " + bracketed(without);
  if (with == 15U) return "$1 | " + bracketed(without);
  if (without == 15U) return "~$1 | " + bracketed(with);
  return "($1 & " + bracketed(with) + ") | (~$1 & " + bracketed(without) + ")";
}

}  // namespace musashim::translator
