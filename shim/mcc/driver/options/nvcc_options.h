// nvcc's options that build files keep after a port, in mcc's words.
#pragma once

#include <string>
#include <vector>

namespace musashim::mcc {

// What became of an option.
struct OptionNote {
  std::string option;  // its name, without a value
  std::string text;
  bool isLost;  // it asked for something that does not happen
};

// What mcc takes in their place, and for each option that was nvcc's a note of what became of it.
struct NvccTranslation {
  std::vector<std::string> arguments;
  std::vector<std::string> hostQueries;  // questions to the host's compiler, as -dumpversion; no build then
  std::vector<OptionNote> notes;
};

// Where names and lists of values mean one thing to nvcc and another to clang.
enum class OptionDialect { kClang, kNvcc };

// On an option that has no counterpart returns false and sets `error` to the remedy.
bool translateNvccOptions(const std::vector<std::string>& arguments, OptionDialect dialect,
                          NvccTranslation& result, std::string& error);

}  // namespace musashim::mcc
