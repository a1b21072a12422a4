#include "translator/lib/match/pasting.h"

#include <algorithm>
#include <tuple>

namespace musashim::translator {
namespace {

/// One #define with parameters.
class Define {
 public:
  /// `index`: of its `define`.
  Define(std::string_view text, const TokenList& tokens, std::size_t index) : text_(text), tokens_(tokens) {
    for (body_ = index + 3; !ends(body_) && !isMark(body_, ')'); ++body_) {
      if (tokens_[body_].kind == TokenKind::Identifier) parameters_.push_back(bytes(body_));
    }
    for (end_ = body_; !ends(end_); ++end_) {
    }
  }

  bool pastes() const {
    for (std::size_t i = body_; i < end_; ++i) {
      if (isMark(i, mark::kPaste)) return true;
    }
    return false;
  }

  /// #define CAT(a, b) CAT_OF_VALUES(a, b)
  bool isCall() const {
    return body_ + 3 < end_ && tokens_[body_ + 1].kind == TokenKind::Identifier && isMark(body_ + 2, '(') &&
           isMark(end_ - 1, ')');
  }

  void addTo(std::vector<PastedParameter>& all) const {
    all.resize(std::max(all.size(), parameters_.size()));
    for (std::size_t i = body_ + 1; i < end_; ++i) {
      const auto found = std::find(parameters_.begin(), parameters_.end(), bytes(i));
      if (tokens_[i].kind != TokenKind::Identifier || found == parameters_.end()) continue;
      add(i, all[static_cast<std::size_t>(found - parameters_.begin())]);
    }
  }

 private:
  void add(std::size_t i, PastedParameter& parameter) const {
    const bool first = isMark(i + 1, mark::kPaste) && !isMark(i - 1, mark::kPaste) && !isMark(i - 1, '#');
    const bool whole = first && i + 2 < end_ && tokens_[i + 2].kind == TokenKind::Identifier &&
                       !isMark(i + 3, mark::kPaste) &&
                       std::find(parameters_.begin(), parameters_.end(), bytes(i + 2)) == parameters_.end();
    if (whole) {
      parameter.endings.emplace(bytes(i + 2));
      return;
    }
    parameter.used = true;
    if (const auto partner = first ? parameterAt(i + 2) : std::nullopt;
        partner && !isMark(i + 3, mark::kPaste))
      parameter.partners.insert(*partner);
    if (const auto call = isCall() ? macroArgument(text_, tokens_, i) : std::nullopt)
      parameter.passed.emplace(call->macro, call->number);
  }

  std::optional<std::size_t> parameterAt(std::size_t i) const {
    if (i >= end_) return std::nullopt;
    const auto found = std::find(parameters_.begin(), parameters_.end(), bytes(i));
    if (found == parameters_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - parameters_.begin());
  }

  bool ends(std::size_t i) const { return i >= tokens_.size() || tokens_[i].kind == TokenKind::DirectiveEnd; }
  bool isMark(std::size_t i, char mark) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::Punctuator && tokens_[i].mark == mark;
  }
  std::string_view bytes(std::size_t i) const { return bytesOf(tokens_[i], text_); }

  std::string_view text_;
  const TokenList& tokens_;
  std::vector<std::string_view> parameters_;
  std::size_t body_ = 0, end_ = 0;
};

bool definesFunction(std::string_view text, const TokenList& tokens, std::size_t i) {
  return i + 3 < tokens.size() && tokens[i].kind == TokenKind::Directive &&
         bytesOf(tokens[i + 1], text) == "define" && tokens[i + 3].mark == '(' &&
         tokens[i + 3].begin == tokens[i + 2].end;
}

}  // namespace

std::vector<PastingDefine> pastingDefinesOf(std::string_view text, const TokenList& tokens) {
  std::vector<PastingDefine> found;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!definesFunction(text, tokens, i)) continue;
    const Define define(text, tokens, i + 1);
    found.push_back({std::string(bytesOf(tokens[i + 2], text)), {}, define.pastes() || define.isCall()});
    define.addTo(found.back().parameters);
  }
  return found;
}

void add(const PastingDefine& define, PastingMacros& macros) {
  if (!define.counts && !macros.contains(define.name)) return;
  std::vector<PastedParameter>& all = macros[define.name];
  all.resize(std::max(all.size(), define.parameters.size()));
  for (std::size_t i = 0; i < define.parameters.size(); ++i) {
    const PastedParameter& more = define.parameters[i];
    all[i].endings.insert(more.endings.begin(), more.endings.end());
    all[i].partners.insert(more.partners.begin(), more.partners.end());
    all[i].passed.insert(more.passed.begin(), more.passed.end());
    all[i].used = all[i].used || more.used;
  }
}

bool joins(const PastingMacros& macros, std::string_view macro, std::size_t first, std::size_t second) {
  constexpr int kDeepest = 4;
  std::string name(macro);
  for (int depth = 0; depth < kDeepest; ++depth) {
    const auto found = macros.find(name);
    if (found == macros.end() || std::max(first, second) >= found->second.size()) return false;
    const PastedParameter &one = found->second[first], &other = found->second[second];
    if (one.partners.contains(second)) return true;
    if (one.passed.size() != 1 || other.passed.size() != 1) return false;
    if (one.passed.begin()->first != other.passed.begin()->first) return false;
    std::tie(name, first) = *one.passed.begin();
    second = other.passed.begin()->second;
  }
  return false;
}

std::optional<MacroArgument> macroArgument(std::string_view text, const TokenList& tokens,
                                           std::size_t index) {
  const auto markAt = [&](std::size_t i) {
    return i < tokens.size() && tokens[i].kind == TokenKind::Punctuator ? tokens[i].mark : '\0';
  };
  const auto delimits = [](char mark, char bracket) { return mark == bracket || mark == ','; };
  if (index < 2 || !delimits(markAt(index - 1), '(') || !delimits(markAt(index + 1), ')'))
    return std::nullopt;
  constexpr std::size_t kLongest = 256;
  MacroArgument argument{{}, 0};
  int depth = 0;
  for (std::size_t i = index - 1; i > 0 && index - i < kLongest; --i) {
    const char mark = markAt(i);
    if (mark == ';' || mark == '{' || mark == '}') break;
    if (mark == ')') ++depth;
    argument.number += mark == ',' && depth == 0 ? 1 : 0;
    if (mark != '(' || depth-- > 0) continue;
    if (tokens[i - 1].kind != TokenKind::Identifier) break;
    argument.macro = bytesOf(tokens[i - 1], text);
    return argument;
  }
  return std::nullopt;
}

}  // namespace musashim::translator
