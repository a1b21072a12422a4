#pragma once

// Macros of the project that join an argument to the rest of a name: #define T(x) x##Malloc, T(cuda)(&p, n).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/lex/token.h"

namespace musashim::translator {

/// What a macro does with one of its parameters, in all its definitions.
struct PastedParameter {
  std::set<std::string> endings;   // words joined behind it
  std::set<std::size_t> partners;  // the numbers of parameters joined behind it
  std::set<std::pair<std::string, std::size_t>>
      passed;         // the macros that get it as an argument of that number
  bool used = false;  // otherwise, too
};
using PastingMacros = std::map<std::string, std::vector<PastedParameter>, std::less<>>;

/// What the macro of a name does with its parameters; null: there is none.
using FindPasting = std::function<const std::vector<PastedParameter>*(std::string_view name)>;
/// Does the macro join its argument `first` to the one of number `second`, or another that it gives both to?
bool joins(const FindPasting& find, std::string_view macro, std::size_t first, std::size_t second);

/// One thing that one definition does with one of its parameters.
struct ParameterUse {
  enum class Kind : std::uint8_t { Ending, Partner, Passed, Other };
  std::string word;         // that is joined behind it, or the macro that gets it
  std::uint32_t parameter;  // from 0
  std::uint32_t number;     // of the parameter joined behind it, or of the macro's argument
  Kind kind;
};

/// One definition of a macro with parameters. A project has hundreds of thousands at a time.
struct PastingDefine {
  std::string name;
  std::vector<ParameterUse> uses;
  std::uint32_t parameters;  // how many it has
  bool counts;               // it joins something to one, or is nothing but a call of another
};
/// All that `text` has.
std::vector<PastingDefine> pastingDefinesOf(std::string_view text, const TokenList& tokens);

/// Adds it if it counts, or another of the same name is there.
void add(const PastingDefine& define, PastingMacros& macros);

/// The call that a token is the whole of an argument of.
struct MacroArgument {
  std::string_view macro;
  std::size_t number;  // from 0
};
std::optional<MacroArgument> macroArgument(std::string_view text, const TokenList& tokens, std::size_t index);

}  // namespace musashim::translator
