#pragma once

// Most files of a project hold nothing to port. They are told by their words alone, at several gigabytes a
// second, without a scan for comments, strings and lines.

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "translator/lib/names/lexicon.h"

namespace musashim::translator {

class Prefilter {
 public:
  explicit Prefilter(const Lexicon& lexicon);
  /// Of the standard lexicon.
  static const Prefilter& standard();

  /// False only if match() would find nothing in `text`: neither an edit nor a finding nor a definition.
  bool mayMatter(std::string_view text) const;

 private:
  bool mayBeHalf(std::string_view text, std::size_t begin, std::size_t end) const;
  bool opensText(std::string_view text, std::size_t begin, std::string_view word) const;
  bool isOther(std::string_view text, std::size_t begin) const;
  bool matters(std::string_view text, std::size_t begin, std::size_t end) const;

  const Lexicon& lexicon_;
  WordFinder finder_;  // of what matters(), and more
  /// Names of headers and libraries, by the first words of these.
  std::unordered_map<std::string_view, std::vector<std::string_view>> texts_;
};

}  // namespace musashim::translator
