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

  std::uint32_t parameters() const { return static_cast<std::uint32_t>(parameters_.size()); }

  std::vector<ParameterUse> uses() const {
    std::vector<ParameterUse> all;
    for (std::size_t i = body_ + 1; i < end_; ++i) {
      if (tokens_[i].kind != TokenKind::Identifier) continue;
      if (const auto parameter = parameterAt(i)) addUse(i, *parameter, all);
    }
    return all;
  }

 private:
  void addUse(std::size_t i, std::uint32_t parameter, std::vector<ParameterUse>& all) const {
    using Kind = ParameterUse::Kind;
    const bool first = isMark(i + 1, mark::kPaste) && !isMark(i - 1, mark::kPaste) && !isMark(i - 1, '#');
    const bool whole = first && i + 2 < end_ && tokens_[i + 2].kind == TokenKind::Identifier &&
                       !isMark(i + 3, mark::kPaste) && !parameterAt(i + 2);
    if (whole) {
      all.push_back({std::string(bytes(i + 2)), parameter, 0, Kind::Ending});
      return;
    }
    const bool isKnown = std::any_of(all.begin(), all.end(), [&](const ParameterUse& use) {
      return use.parameter == parameter && use.kind == Kind::Other;
    });
    if (!isKnown) all.push_back({{}, parameter, 0, Kind::Other});
    if (const auto partner = first ? parameterAt(i + 2) : std::nullopt;
        partner && !isMark(i + 3, mark::kPaste))
      all.push_back({{}, parameter, *partner, Kind::Partner});
    if (const auto call = isCall() ? macroArgument(text_, tokens_, i) : std::nullopt)
      all.push_back(
          {std::string(call->macro), parameter, static_cast<std::uint32_t>(call->number), Kind::Passed});
  }

  std::optional<std::uint32_t> parameterAt(std::size_t i) const {
    if (i >= end_) return std::nullopt;
    const auto found = std::find(parameters_.begin(), parameters_.end(), bytes(i));
    if (found == parameters_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - parameters_.begin());
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
    found.push_back({std::string(bytesOf(tokens[i + 2], text)), define.uses(), define.parameters(),
                     define.pastes() || define.isCall()});
  }
  return found;
}

void add(const PastingDefine& define, PastingMacros& macros) {
  if (!define.counts && !macros.contains(define.name)) return;
  std::vector<PastedParameter>& all = macros[define.name];
  all.resize(std::max<std::size_t>(all.size(), define.parameters));
  for (const ParameterUse& use : define.uses) {
    PastedParameter& parameter = all[use.parameter];
    switch (use.kind) {
      case ParameterUse::Kind::Ending:
        parameter.endings.insert(use.word);
        break;
      case ParameterUse::Kind::Partner:
        parameter.partners.insert(use.number);
        break;
      case ParameterUse::Kind::Passed:
        parameter.passed.emplace(use.word, use.number);
        break;
      case ParameterUse::Kind::Other:
        parameter.used = true;
        break;
    }
  }
}

bool joins(const FindPasting& find, std::string_view macro, std::size_t first, std::size_t second) {
  constexpr int kDeepest = 4;
  std::string name(macro);
  for (int depth = 0; depth < kDeepest; ++depth) {
    const std::vector<PastedParameter>* const found = find(name);
    if (!found || std::max(first, second) >= found->size()) return false;
    const PastedParameter &one = (*found)[first], &other = (*found)[second];
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
