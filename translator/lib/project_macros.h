#pragma once

// The macros of a project that other files' text may depend on: those that join words, and those that stand
// for text in inline assembly.

#include <string_view>
#include <vector>

#include "translator/lib/match/pasting.h"
#include "translator/lib/ptx/text_macros.h"

namespace musashim::translator {

/// Those that one file defines.
struct FileMacros {
  std::vector<PastingDefine> pasting;
  std::vector<TextMacro> texts;
};

FileMacros macrosOf(std::string_view text);
/// The same of a text without zeros, whose tokens are at hand.
FileMacros macrosOf(std::string_view text, const TokenList& tokens);

/// Adds those of files, in their order, to maps that are empty; by so many threads.
void add(const std::vector<FileMacros>& files, unsigned threads, PastingMacros& pasting, TextMacros& texts);

}  // namespace musashim::translator
