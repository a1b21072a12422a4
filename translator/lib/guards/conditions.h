#pragma once

// A condition is translated as a whole or not at all: of `defined(A) && A < N`, where N cannot be
// translated, half would be true where the whole was false. Comparisons with what MUSA is below of, whatever
// its version, are no such case: `A < 13000` is true as it stands and `A >= 13000` is not, as A reads as 0.

#include <optional>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Is shown the directives of a source in their order.
class Conditions {
 public:
  /// What became of the condition of an #if or #elif, or of a macro that stands for one.
  struct Condition {
    std::size_t end = 0;  // the token behind it if it stays as it is, else 0
    bool testsArchitecture = false;
  };

  explicit Conditions(Cursor& cursor) : cursor_(cursor) {}

  /// Looks at the directive at token `index`, and reports what of it stays if it does.
  Condition look(std::size_t index);

 private:
  /// A known name in a condition.
  struct Use {
    std::size_t index;
    KnownName name;
    std::optional<Advice> obstacle;  // why it cannot be translated
  };

  std::vector<Use> usesIn(std::size_t from, std::size_t end, bool inCondition) const;
  bool isOpaqueMacro(std::size_t index) const;
  void report(const std::vector<Use>& uses);

  Cursor& cursor_;
  std::vector<std::string_view> opaque_;  // macros that stand for a condition that stays
};

}  // namespace musashim::translator
