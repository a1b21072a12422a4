#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "translator/lib/lex/prefilter.h"
#include "translator/lib/names/lexicon.h"

namespace musashim::translator {

enum class CommentPolicy : std::uint8_t { Names, Keep };
enum class StringPolicy : std::uint8_t {
  Symbols,  // strings that are one known name, variable, library or project file; and kernel source
  Names,    // also known names inside other text
  Keep,
};
enum class RawStringPolicy : std::uint8_t {
  Auto,  // code if it looks like kernel source
  Code,
  Keep,
};

/// Names of the API that the project has for things of its own.
struct UserSymbols {
  std::set<std::string, std::less<>> plain;
  std::map<std::string, std::set<std::string>, std::less<>> spaces;  // name -> namespaces that hold it
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>>
      local;  // file -> names that it alone has
};

struct PortOptions {
  CommentPolicy comments = CommentPolicy::Names;
  StringPolicy strings = StringPolicy::Symbols;
  RawStringPolicy rawStrings = RawStringPolicy::Auto;
  const Lexicon* lexicon = &Lexicon::standard();
  const Prefilter* prefilter = &Prefilter::standard();  // of the lexicon
  /// False: every byte and every token is looked at. What the shortcuts are checked against.
  bool shortcuts = true;
  /// Changes are only counted, by library; what is left or wants a look is told in any case.
  bool countOnly = false;
  const UserSymbols* symbols = nullptr;
  const std::set<std::string, std::less<>>* localSymbols = nullptr;  // of the file being ported
  /// Macros of the other files, when they are known; null: a file that would need them says so.
  const class ProjectMacros* macros = nullptr;
  /// No file gets another name: neither includes nor build files name one of .mu or .muh for it.
  bool keepFileNames = false;
  /// Only these names and headers change, wherever they stand as words; null: all that the lexicon knows
  /// does.
  const struct RuleSet* onlyRules = nullptr;
  /// What an SDK or an architecture lacks is reported; null: nothing is.
  const class Availability* availability = nullptr;
};

}  // namespace musashim::translator
