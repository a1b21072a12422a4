#pragma once

// How a value goes from one function of a source to another, by its tokens: arguments, parameters, results.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// The value is argument `place` of a call of `function`.
struct PassedValue {
  std::string_view function;
  std::size_t place;
  bool operator==(const PassedValue&) const = default;
};

/// What a function's definition calls a parameter, and its tokens.
struct ReceivedValue {
  std::string_view parameter;
  std::size_t begin;  // behind the parameters: a constructor's members
  std::size_t body;   // the brace that opens it
  std::size_t end;    // the one that closes it
};

/// The call whose argument ends on the left at token `edge`, a bracket or a comma; nothing if there is none.
std::optional<PassedValue> passedAt(const Cursor& cursor, std::size_t edge);

/// The definitions in this source that get the value.
std::vector<ReceivedValue> receiversOf(const Cursor& cursor, const PassedValue& value);

/// The name of the function whose body holds token `index`; empty if that is not told.
std::string_view functionAround(const Cursor& cursor, std::size_t index);

}  // namespace musashim::translator
