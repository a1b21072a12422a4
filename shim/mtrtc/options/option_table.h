// What each option asks for.
#pragma once

#include <span>
#include <string_view>

namespace musashim::mtrtc {

enum class Action {
  kNothing,        // what it asks for is so, or has no counterpart and changes no result
  kNothingValue,   // the same, with a value, or without
  kNothingWord,    // the same, with a value, which may look like an option
  kNothingNumber,  // the same, with a number
  kLanguage,       // `ours` of mcc's
  kLanguageValue,  // `ours` with the value behind it
  kFrontend,       // `ours` of clang's
  kFrontendValue,  // `ours` with the value behind it, as one word
  kFrontendPair,   // as two
  kSwitch,         // true or false: `ours` where the value is `when`
  kArch,
  kRelocatable,        // the program is a unit that is linked with others
  kRelocatableSwitch,  // true or false
  kDefaultDevice,
  kNoCache,
  kRefuse,  // `ours` says why
};

struct Option {
  std::string_view name;   // behind two dashes
  std::string_view brief;  // behind one; may be empty
  Action action;
  std::string_view ours = {};
  std::string_view when = {};
};

std::span<const Option> optionTable();

}  // namespace musashim::mtrtc
