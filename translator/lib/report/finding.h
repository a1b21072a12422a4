#pragma once

// What the matcher concludes about one place in a source.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translator/lib/edit/edit_text.h"
#include "translator/lib/lex/word_hash.h"

namespace musashim::translator {

enum class FindingKind : std::uint8_t {
  Name,      // a known name, renamed
  Call,      // a call replaced by an expression
  Header,    // an #include
  Guard,     // a version or architecture comparison, mapped with its number
  Paste,     // half of a name joined by ##
  Assembly,  // inline PTX replaced
  Launch,    // how a launch is written
  Symbol,    // a string that is a name
  Comment,   // a known name in a comment
  Unported,  // left as it is; reason and remedy say why and what to do
  Note,      // ported, but worth a look
  Conflict,  // a name of the project's meets a new one
  Audit,     // works on the source's platform only; library says which kind
};

/// Replace the bytes [begin, end) by `text`.
struct Edit {
  std::uint32_t begin;
  std::uint32_t end;
  EditText text;
};

struct Finding {
  FindingKind kind;
  std::uint32_t begin;  // place in the source
  std::uint32_t end;
  std::string subject;       // the CUDA name, instruction or header
  std::string_view library;  // mapping file it comes from, of static storage; may be empty
  std::string reason;        // Unported and Note only
  std::string remedy;
};

/// A known name, or the MUSA name of one, that the source defines itself.
struct Definition {
  enum class Kind : std::uint8_t {
    Plain,        // at file scope: the name is the project's own
    InNamespace,  // or in a record; `space` says in which
    Conditional,  // behind #if: a stand-in for the API's, ported along with it
    Interposer,   // extern "C", or of the API's type: takes the place of the API's
    Target,       // of a MUSA name
  };
  Kind kind;
  std::uint32_t begin;
  std::string name;
  std::string space;
  bool local = false;  // static, in a namespace without a name, or a type, which no other source can see
};

/// Everything found in one source. Edits may come in any order; those inside another have no effect.
struct Match {
  std::vector<Edit> edits;
  std::vector<Finding> findings;
  std::vector<Definition> definitions;
  std::vector<std::pair<std::string_view, std::size_t>> counts;  // changes by library, or by kind
  bool outerCarry = false;    // inline PTX hands a carry from statement to statement
  std::uint32_t headers = 0;  // of ptxHeaders(): declare what has come of inline PTX
  bool wantsMacros = false;   // gives half of a name to what may be a macro of another file
  std::uint64_t names = 0;    // a bit for the hash of each known name that occurs, see nameBit()
};

/// The word that a change is counted under: its library if it is a name's, else its kind.
inline void count(Match& match, std::string_view under, std::size_t more = 1) {
  // Most come from the same place.
  const auto same = [&](std::string_view subject) {
    return subject.data() == under.data() ? subject.size() == under.size() : subject == under;
  };
  for (auto& [subject, number] : match.counts) {
    if (same(subject)) {
      number += more;
      return;
    }
  }
  match.counts.emplace_back(under, more);
}
std::string_view nameOf(FindingKind kind);

/// So that a file which cannot hold a name is told without a look-up.
inline std::uint64_t nameBit(std::string_view name) { return std::uint64_t{1} << (wordHash(name) % 64); }

}  // namespace musashim::translator
