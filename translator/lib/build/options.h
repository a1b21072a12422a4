#pragma once

// nvcc's options among the words of a build file.

#include <cstddef>
#include <set>

#include "translator/lib/build/words.h"

namespace musashim::translator {

class OptionPorter {
 public:
  OptionPorter(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context)
      : editor_(editor), begin_(begin), end_(end), context_(context) {}

  /// At the first dash of a word: ports the option there. The place behind what was looked at; `at` if it
  /// is none that changes, so that its words are looked at like others.
  std::size_t port(std::size_t at);

 private:
  struct Value {
    std::size_t begin;
    std::size_t end;
    std::size_t next;  // behind its quotes
  };
  Value valueBehind(std::size_t nameEnd) const;
  std::size_t wordEnd(std::size_t at) const;
  std::size_t removalBegin(std::size_t at) const;
  std::size_t remove(std::size_t at, std::size_t end);
  std::size_t portList(std::size_t at, const Value& value);
  std::size_t portArchitecture(std::size_t at, std::size_t nameEnd, const Value& value);

  BuildEditor& editor_;
  std::size_t begin_;
  std::size_t end_;
  const WordContext& context_;
  std::set<int> architectures_;  // written already
};

}  // namespace musashim::translator
