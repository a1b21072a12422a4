#pragma once

// The words of build files and scripts: variables, programs, options of nvcc, libraries, paths, file names.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "translator/lib/build/editor.h"

namespace musashim::translator {

struct WordContext {
  bool compiler = false;   // the words go to nvcc: options that others have, too, change
  bool libraries = false;  // plain words are names of libraries
  bool cmake = false;      // CMake's variables and targets are known
  bool comment = false;    // only names change: variables, targets, the API's, and the toolkit's folder
  char separator = ' ';    // of options
  const std::set<std::string, std::less<>>* own = nullptr;  // names that the project gave to targets
};

/// Ports the words in [begin, end) of the editor's text.
void portWords(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context);

/// A comment, in which names follow the code unless the user wants comments kept; words that are programs or
/// libraries in code may be none here.
void portComment(BuildEditor& editor, std::size_t begin, std::size_t end, bool cmake);

/// Prose: only variables that are named in ${} or $() change.
void portReferences(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context);

/// Is the variable, by its name, a list of libraries?
bool namesLibraries(std::string_view variable);

inline bool isAsciiWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace musashim::translator
