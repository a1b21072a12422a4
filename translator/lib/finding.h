#pragma once

// What the matcher concludes about one place in a source.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

enum class FindingKind : std::uint8_t {
  Name,      // a known name, renamed
  Call,      // a call replaced by an expression
  Header,    // an #include
  Guard,     // a version or architecture comparison, mapped with its number
  Paste,     // half of a name joined by ##
  Assembly,  // inline PTX replaced
  Symbol,    // a string that is a name
  Comment,   // a known name in a comment
  Unported,  // left as it is; reason and remedy say why and what to do
  Note,      // ported, but worth a look
};

/// Replace the bytes [begin, end) by `text`.
struct Edit {
  std::uint32_t begin;
  std::uint32_t end;
  std::string text;
};

struct Finding {
  FindingKind kind;
  std::uint32_t begin;  // place in the source
  std::uint32_t end;
  std::string subject;       // the CUDA name, instruction or header
  std::string_view library;  // mapping file it comes from; may be empty
  std::string_view reason;   // Unported and Note only; of static storage, like library
  std::string_view remedy;
};

/// Everything found in one source. Edits may come in any order but never overlap.
struct Match {
  std::vector<Edit> edits;
  std::vector<Finding> findings;
};

}  // namespace musashim::translator
