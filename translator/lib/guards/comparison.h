#pragma once

// The comparison that a version's or architecture's name stands in.

#include <cstdint>
#include <optional>
#include <string_view>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

struct Comparison {
  std::string_view sign;  // as if the name stood on the left
  std::uint32_t signBegin = 0;
  std::uint32_t signEnd = 0;
  std::size_t number = 0;  // token index of the other side, where it is next to the sign
  bool nameFirst = true;
};

/// Tokens `first` to `last`.
struct Operand {
  std::size_t first;
  std::size_t last;
};

/// `sign` with its sides exchanged.
std::string_view mirrored(std::string_view sign);

/// Does the bracket at token `open` hold arguments, rather than an expression?
bool opensCall(const Cursor& cursor, std::size_t open);

/// The token with all brackets that hold nothing else.
Operand withBrackets(const Cursor& cursor, std::size_t index);

/// The token with the sums, products and brackets that it is part of: `(NAME / 1000) % 10`.
Operand withArithmetic(const Cursor& cursor, std::size_t index);

/// The comparison of which `name` is one side. The brackets of a template's arguments are none.
std::optional<Comparison> comparisonAt(const Cursor& cursor, const Operand& name);

/// +, -, *, / or %
bool isArithmetic(const Cursor& cursor, std::size_t index);

/// The literal that is the whole other side of the comparison, whose token is then known.
std::optional<long> literalOf(const Cursor& cursor, Comparison& comparison);

}  // namespace musashim::translator
