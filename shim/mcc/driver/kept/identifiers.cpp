#include "identifiers.h"

#include <set>

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "core/whole_file.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

clang::LangOptions language() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 =
      true;
  options.LineComment = options.RawStringLiterals = true;
  return options;
}

// Without comments and strings.
void addIdentifiers(const std::string& text, std::set<std::string, std::less<>>& names) {
  const clang::LangOptions options = language();
  const char* const begin = text.c_str();
  clang::Lexer lexer(clang::SourceLocation(), options, begin, begin, begin + text.size());
  for (;;) {
    clang::Token token;
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) return;
    if (token.isNot(clang::tok::raw_identifier)) continue;
    const StringRef name = token.getRawIdentifier();
    if (!isReservedIdentifier(name) && names.find(name) == names.end()) names.insert(name.str());
  }
}

}  // namespace

bool isReservedIdentifier(StringRef name) {
  return name.starts_with("_") || name.starts_with("MUSASHIM_") || name == "NDEBUG";
}

std::string identifiersOf(const std::vector<std::string>& files) {
  std::set<std::string, std::less<>> names;
  for (const std::string& file : files) addIdentifiers(core::contentOf(file), names);
  std::string result = "\n";
  for (const std::string& name : names) result += name + '\n';
  return result;
}

bool mentions(StringRef identifiers, StringRef name) {
  return identifiers.contains(("\n" + name + "\n").str());
}

bool isInValue(StringRef option, StringRef name) {
  std::set<std::string, std::less<>> names;
  addIdentifiers(option.split('=').second.str(), names);
  return names.contains(name);
}

}  // namespace musashim::mcc
