#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Numbers that NVIDIA and MUSA count otherwise and that a source asks for at run time: the compute
/// capability
/// (`prop.major`, an attribute's value) and the versions of the runtime and the driver.
class NumberUse {
 public:
  /// A token that gives such a number, and the braces that are open there.
  struct Place {
    std::size_t index;
    std::size_t depth;
    bool member;
  };

  /// A known name, in the order of the source.
  void note(std::string_view name, std::size_t index, std::size_t depth);
  /// `.major`, `->minor`
  void noteMember(std::size_t index, std::size_t depth) { places_.push_back({index, depth, true}); }

  /// Reports where such a number is compared with a literal, also by way of the variables of a function:
  /// `prop.major < 7`, `prop.major * 10 + prop.minor >= 80`, `cc = ...; if (cc == 86)`.
  void audit(Cursor& cursor);

 private:
  bool record_ = false;  // one that has such members is named
  std::vector<Place> places_;
};

}  // namespace musashim::translator
