#pragma once

// Versions in plain code and in macros' texts, where a name that nobody defines is an error rather than 0:
//   with a number that the tables know    CUDART_VERSION >= 12000   MUSART_VERSION >= 40000
//   with another number of NVIDIA's       CUDART_VERSION >= 13000   0/*CUDART_VERSION*/ >= 13000, as #if
//   reads it with what the program asked for       driver < CUDART_VERSION   driver < MUSART_VERSION anywhere
//   else                         f(CUDART_VERSION)         f(MUSART_VERSION)

#include <optional>
#include <string_view>
#include <vector>

#include "translator/lib/guards/comparison.h"

namespace musashim::translator {

/// CUDA_VERSION, CUDART_VERSION, CUBLAS_VERSION, ...: a macro of a header, not of the compiler.
inline bool isHeaderVersion(NameKind kind) {
  return kind == NameKind::Version || kind == NameKind::LibraryVersion;
}

/// Does the version at token `index` meet a number of NVIDIA's that is no literal: macros and constants, by
/// their spelling, and arguments of the macro that it stands in?
bool meetsNvidiasNumber(const Cursor& cursor, std::size_t index);

/// A version's name in plain code.
struct VersionUse {
  std::size_t index;
  KnownName name;
};

/// Ports those of a source, in their order. The parts of one condition are translated together or not at all,
/// as those of #if are: `A >= 11000 && B < NEEDED`.
void portVersionsInCode(Cursor& cursor, const std::vector<VersionUse>& uses);

/// Puts a 0 in the place of the name, which stays beside it as a comment.
void writeZero(Cursor& cursor, std::size_t index, std::string_view name);

/// --reverse: the name that writeZero() left in a comment, if it is one: `text` is all of the comment.
std::string_view nameBesideZero(std::string_view text);

}  // namespace musashim::translator
