#pragma once

#include <cstdint>

namespace musashim::translator {

enum class CommentPolicy : std::uint8_t { Names, Keep };
enum class StringPolicy : std::uint8_t {
  Symbols,  // strings that are one known name, variable, library or project file; and kernel source
  Names,    // also known names inside other text
  Keep,
};
enum class RawStringPolicy : std::uint8_t {
  Auto,  // code if it looks like kernel source
  Code,
  Keep,
};

struct PortOptions {
  CommentPolicy comments = CommentPolicy::Names;
  StringPolicy strings = StringPolicy::Symbols;
  RawStringPolicy rawStrings = RawStringPolicy::Auto;
};

}  // namespace musashim::translator
