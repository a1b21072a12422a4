#pragma once

// The language of CMakeLists.txt, as cmake-language(7) says: commands and their arguments, by their places.

#include <cstddef>
#include <string_view>
#include <vector>

namespace musashim::translator {

struct CMakeArgument {
  enum class Kind { Unquoted, Quoted, Bracket };
  std::size_t begin;  // without quotes and brackets
  std::size_t end;
  Kind kind;
};

struct CMakeCommand {
  std::size_t begin;  // of its name
  std::size_t nameEnd;
  std::size_t end;                       // behind the closing parenthesis
  std::vector<CMakeArgument> arguments;  // parentheses inside are left out
};

/// The commands of a file, in order. What is no CMake is skipped up to the next line.
std::vector<CMakeCommand> cmakeCommands(std::string_view text,
                                        std::vector<CMakeArgument>* comments = nullptr);

}  // namespace musashim::translator
