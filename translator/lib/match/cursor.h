#pragma once

// What the parts of the matcher share: the source, a safe view of its tokens, and the result.

#include <string>
#include <string_view>

#include "translator/lib/lex/scan.h"
#include "translator/lib/match/match.h"
#include "translator/lib/names/lexicon.h"

namespace musashim::translator {

struct Cursor {
  std::string_view text;
  const TokenList& tokens;
  const PortOptions& options;
  const ProjectView& project;
  Match& out;
  const Lexicon& lexicon = *options.lexicon;

  /// Token `index`, or an empty DirectiveEnd beyond either end.
  const Token& at(std::size_t index) const {
    static constexpr Token kNone{0, 0, TokenKind::DirectiveEnd, 0, false};
    return index < tokens.size() ? tokens[index] : kNone;
  }
  bool isMark(std::size_t index, char mark) const {
    return at(index).kind == TokenKind::Punctuator && at(index).mark == mark;
  }
  bool isWord(std::size_t index) const { return at(index).kind == TokenKind::Identifier; }
  /// Bytes of the token; equal to its spelling unless it is spliced.
  std::string_view bytes(std::size_t index) const { return bytesOf(at(index), text); }

  void edit(std::uint32_t begin, std::uint32_t end, EditText replacement) {
    out.edits.push_back({begin, end, std::move(replacement)});
  }
  /// Gives the identifier another spelling; line splices inside it stay where they can.
  void rename(const Token& token, std::string_view target);
  /// To its counterpart.
  void rename(const Token& token, const KnownName& name) {
    if (token.spliced || !name.lasting) return rename(token, name.target);
    edit(token.begin, token.end, EditText::lasting(name.target));
  }

  void found(FindingKind kind, const Token& token, std::string_view subject, std::string_view library = {}) {
    const bool named = kind == FindingKind::Name || kind == FindingKind::Call;
    count(out, named ? library : nameOf(kind));
    if (options.countOnly) return;
    out.findings.push_back({kind, token.begin, token.end, std::string(subject), library, {}, {}});
  }
  /// An Unported or Note finding with the texts of a reason in the tables.
  void report(FindingKind kind, const Token& token, std::string_view subject, std::string_view library,
              const Advice& advice);
};

}  // namespace musashim::translator
