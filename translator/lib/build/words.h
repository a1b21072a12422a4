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
  char separator = ' ';    // of options
  const std::set<std::string, std::less<>>* own = nullptr;  // names that the project gave to targets
};

/// Ports the words in [begin, end) of the editor's text.
void portWords(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context);

/// Prose: only variables that are named in ${} or $() change.
void portReferences(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context);

bool isWordByte(char c);

}  // namespace musashim::translator
