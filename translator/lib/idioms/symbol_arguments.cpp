#include "translator/lib/idioms/symbol_arguments.h"

#include <algorithm>
#include <array>
#include <string>

namespace musashim::translator {
namespace {

/// A function that takes a variable or a kernel, as its argument of that number, from 0.
struct Taker {
  std::string_view name;
  std::size_t argument;
};

constexpr std::array<Taker, 16> kTakers = {{
    {"cudaMemcpyToSymbol", 0},
    {"cudaMemcpyToSymbolAsync", 0},
    {"cudaMemcpyFromSymbol", 1},
    {"cudaMemcpyFromSymbolAsync", 1},
    {"cudaGetSymbolAddress", 1},
    {"cudaGetSymbolSize", 1},
    {"cudaFuncGetAttributes", 1},
    {"cudaFuncSetAttribute", 0},
    {"cudaFuncSetCacheConfig", 0},
    {"cudaFuncSetSharedMemConfig", 0},
    {"cudaGetTextureReference", 1},
    {"cudaGetSurfaceReference", 1},
    {"cudaLaunch", 0},
    {"cudaLaunchKernel", 0},
    {"cudaLaunchCooperativeKernel", 0},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 1},
}};

struct Argument {
  std::size_t first;
  std::size_t end;
};

/// Argument `number` of the call whose bracket is token `open`; empty if there is none.
Argument argumentOf(const Cursor& cursor, std::size_t open, std::size_t number) {
  constexpr std::size_t kLongest = 512;
  int depth = 0;
  std::size_t first = open + 1;
  for (std::size_t i = open; i < std::min(open + kLongest, cursor.tokens.size()); ++i) {
    if (cursor.isMark(i, '(')) ++depth;
    if (cursor.isMark(i, ')')) --depth;
    if (cursor.isMark(i, ';') || depth == 0)
      return number == 0 && depth == 0 ? Argument{first, i} : Argument{};
    if (depth > 1 || !cursor.isMark(i, ',')) continue;
    if (number-- == 0) return {first, i};
    first = i + 1;
  }
  return {};
}

bool isString(const Token& token) {
  return token.kind == TokenKind::String || token.kind == TokenKind::RawString;
}

/// const char* NAME, char NAME[], #define NAME "text"
bool isText(const Cursor& cursor, std::string_view name) {
  for (std::size_t i = 2; i < cursor.tokens.size(); ++i) {
    if (!cursor.isWord(i) || cursor.bytes(i) != name) continue;
    if (cursor.bytes(i - 1) == "define" && isString(cursor.at(i + 1))) return true;
    std::size_t type = cursor.bytes(i - 1) == "const" ? i - 2 : i - 1;
    const bool pointer = cursor.isMark(type, '*');
    if (pointer) --type;
    if (pointer && cursor.bytes(type) == "const") --type;
    if (cursor.bytes(type) == "char" && (pointer || cursor.isMark(i + 1, '['))) return true;
  }
  return false;
}

/// The token of the argument that is a text; its end if none is. What is in brackets is a cast, or of a call.
std::size_t textIn(const Cursor& cursor, const Argument& argument) {
  int depth = 0;
  for (std::size_t i = argument.first; i < argument.end; ++i) {
    if (cursor.isMark(i, '(')) ++depth;
    if (cursor.isMark(i, ')')) --depth;
    if (depth > 0) continue;
    if (isString(cursor.at(i)) || cursor.isMark(i, '#')) return i;
    if (cursor.isWord(i) && i + 1 == argument.end && isText(cursor, cursor.bytes(i))) return i;
  }
  return argument.end;
}

}  // namespace

void checkSymbolArgument(Cursor& cursor, std::size_t index, std::string_view name) {
  const auto* taker =
      std::find_if(kTakers.begin(), kTakers.end(), [&](const Taker& row) { return row.name == name; });
  if (taker == kTakers.end() || !cursor.isMark(index + 1, '(')) return;
  const Argument argument = argumentOf(cursor, index + 1, taker->argument);
  const std::size_t text = textIn(cursor, argument);
  if (text >= argument.end) return;
  const Token& token = cursor.at(text);
  std::string symbol = "the symbol itself";
  if (token.kind == TokenKind::String) symbol = bytesOf(literalBody(token, cursor.text), cursor.text);
  if (cursor.isMark(text, '#')) symbol = cursor.bytes(text + 1);
  cursor.out.findings.push_back({FindingKind::Unported, token.begin, token.end, std::string(name), "runtime",
                                 "a text, where MUSA, as CUDA since version 5, wants the symbol",
                                 "pass " + symbol + (symbol.starts_with("the ") ? "" : " without quotes")});
}

}  // namespace musashim::translator
