#include "translator/lib/scope.h"

#include <algorithm>
#include <array>

namespace musashim::translator {

void Scope::advance(std::size_t index) {
  const Token& token = cursor_.tokens[index];
  if (inDirective_) {
    if (token.kind == TokenKind::DirectiveEnd) inDirective_ = false;
    return;  // a macro's braces are not the program's
  }
  switch (token.kind) {
    case TokenKind::Directive:
      openDirective(index);
      break;
    case TokenKind::Identifier:
      word(bytesOf(token, cursor_.text));
      break;
    case TokenKind::Punctuator:
      mark(token.mark);
      break;
    default:
      break;
  }
}

void Scope::openDirective(std::size_t index) {
  inDirective_ = true;
  const std::string name =
      cursor_.isWord(index + 1) ? spelling(cursor_.at(index + 1), cursor_.text) : std::string();
  inCondition_ = name == "if" || name == "ifdef" || name == "ifndef" || name == "elif";
  if (name == "if" || name == "ifdef" || name == "ifndef") openConditional();
  if (name == "else" || name == "elif") elseConditional();
  if (name == "endif") closeConditional();
}

void Scope::openConditional() {
  open_.push_back({conditionals_.size(), levels_, parens_});
  conditionals_.emplace_back();
}

/// Each branch starts from the brackets that were open at the #if.
void Scope::elseConditional() {
  if (open_.empty()) return;
  levels_ = open_.back().levels;
  parens_ = open_.back().parens;
}

void Scope::closeConditional() {
  if (!open_.empty()) open_.pop_back();
}

void Scope::word(std::string_view name) {
  if (name.size() - 4 > 2 || std::string_view("escu").find(name[0]) == std::string_view::npos) {
    if (tagged_) ++wordsSinceTag_;
    return;
  }
  Brace tag = Brace::Block;
  switch (name.size()) {
    case 4:
      if (name == "enum") tag = Brace::Enum;
      break;
    case 5:
      if (name == "class" || name == "union") tag = Brace::Record;
      break;
    case 6:
      if (name == "struct") tag = Brace::Record;
      break;
    default:
      break;
  }
  if (tag == Brace::Block) {
    if (tagged_) ++wordsSinceTag_;
    return;
  }
  if (tagged_ && tag_ == Brace::Enum) return;  // enum class
  tagged_ = true;
  tag_ = tag;
  wordsSinceTag_ = angles_ = 0;
  basesSeen_ = false;
}

void Scope::mark(char mark) {
  switch (mark) {
    case '{':
      levels_.push_back({tagged_ ? tag_ : Brace::Block, parens_});
      parens_ = 0;
      tagged_ = false;
      break;
    case '}':
      if (!levels_.empty()) {
        parens_ = levels_.back().parens;
        levels_.pop_back();
      }
      tagged_ = false;
      break;
    case '(':
      ++parens_;
      // One word before: struct alignas(16) S. More: a function that returns a struct.
      if (wordsSinceTag_ > 1 && !basesSeen_) tagged_ = false;
      break;
    case ')':
      if (parens_ > 0) --parens_;
      break;
    case ';':
    case '=':
      tagged_ = false;
      break;
    case ':':
      basesSeen_ = true;
      break;
    case '<':
      ++angles_;
      break;
    case '>':
      if (angles_ > 0) {
        --angles_;
      } else {
        tagged_ = false;  // the end of template <class T>
      }
      break;
    case ',':
      if (angles_ == 0 && !basesSeen_) tagged_ = false;
      break;
    default:
      break;
  }
}

bool Scope::declaresMember(std::size_t index) const {
  if (inDirective_ || !inRecord() || index == 0) return false;
  const Token& next = cursor_.at(index + 1);
  if (parens_ == 1) {  // result (*NAME)(arguments)
    return cursor_.isMark(index - 1, '*') && cursor_.isMark(index - 2, '(') &&
           cursor_.isMark(index + 1, ')') && cursor_.isMark(index + 2, '(');
  }
  if (parens_ != 0 || next.kind != TokenKind::Punctuator) return false;
  static constexpr std::string_view kFollow = ";=,[{:(";
  if (kFollow.find(next.mark) == std::string_view::npos) return false;
  if (cursor_.isMark(index - 1, '*') || cursor_.isMark(index - 1, '&') || cursor_.isMark(index - 1, '>'))
    return true;
  if (!cursor_.isWord(index - 1)) return false;
  static constexpr std::array<std::string_view, 9> kNotATypeBefore = {
      "const", "volatile", "struct", "class", "enum", "typename", "operator", "typedef", "friend"};
  return std::find(kNotATypeBefore.begin(), kNotATypeBefore.end(), cursor_.bytes(index - 1)) ==
         kNotATypeBefore.end();
}

std::size_t Scope::currentConditional() const { return open_.empty() ? SIZE_MAX : open_.back().id; }

void Scope::noteArchitectureTest() {
  if (!open_.empty()) conditionals_[open_.back().id].testsArchitecture = true;
}

void Scope::noteAssembly() {
  for (auto frame = open_.rbegin(); frame != open_.rend(); ++frame) {
    if (!conditionals_[frame->id].testsArchitecture) continue;
    conditionals_[frame->id].holdsAssembly = true;
    return;
  }
}

}  // namespace musashim::translator
