#include "translator/lib/match/scope.h"

#include <algorithm>
#include <array>

namespace musashim::translator {

void Scope::openDirective(std::size_t index) {
  inDirective_ = true;
  directive_ = index;
  inCondition_ = false;
  if (!cursor_.isWord(index + 1)) return;
  const Token& word = cursor_.at(index + 1);
  directive(index, word.spliced ? spelling(word, cursor_.text) : bytesOf(word, cursor_.text));
}

void Scope::directive(std::size_t index, std::string_view name) {
  if (name[0] != 'i' && name[0] != 'e') return;  // most are #define
  const bool opens = name == "if" || name == "ifdef" || name == "ifndef";
  const bool elif = name == "elif";
  inCondition_ = opens || elif;
  if (opens) {
    if (index == 0 && name == "ifndef") guarded_ = true;
    openConditional();
  }
  if (elif || name == "else") elseConditional();
  if (name == "endif") closeConditional();
}

void Scope::openConditional() {
  // What is counted now need not be counted again in each branch.
  const std::uint32_t parens = parensBefore(directive_);
  for (Level& level : levels_) {
    finish(level.outer, level.token, level.holes);
    level.outer.nextHole = level.holes = 0;
  }
  now_.nextHole = 0;
  holes_.clear();
  open_.push_back({conditionals_.size(), levels_, parens});
  conditionals_.emplace_back();
}

/// Each branch starts from the brackets that were open at the #if.
void Scope::elseConditional() {
  if (open_.empty()) return;
  levels_ = open_.back().levels;
  now_ = {open_.back().parens, directive_, 0};
  holes_.clear();
}

void Scope::closeConditional() {
  if (!open_.empty()) open_.pop_back();
}

void Scope::word(std::size_t index, std::string_view name) {
  if (inSpaceName_) {
    spaceName_ = name;
    if (cursor_.bytes(index - 2) == "using") usings_.push_back(spaceName_);
  }
  if (name == "namespace") {
    inSpaceName_ = true;
    spaceName_ = {};
    return;
  }
  const bool record = name == "struct" || name == "class" || name == "union";
  if (!record && name != "enum") {
    if (tagged_) ++wordsSinceTag_;
    return;
  }
  if (tagged_ && tag_ == Brace::Enum) return;  // enum class
  tagged_ = true;
  tag_ = record ? Brace::Record : Brace::Enum;
  wordsSinceTag_ = angles_ = parens_ = 0;
  basesSeen_ = false;
}

void Scope::mark(char mark, std::size_t index) {
  switch (mark) {
    case '{':
      levels_.push_back(opened(index));
      now_ = {0, index, holes_.size()};
      tagged_ = false;
      break;
    case '}':
      if (!levels_.empty()) {
        const Level& level = levels_.back();
        now_ = level.outer;
        holes_.resize(level.holes);
        holes_.push_back({level.token, index});
        levels_.pop_back();
      }
      tagged_ = false;
      break;
    case '(':
      // One word before: struct alignas(16) S. More: a function that returns a struct.
      if (wordsSinceTag_ > 1 && !basesSeen_) tagged_ = false;
      ++parens_;
      break;
    case ')':
      if (parens_-- == 0) tagged_ = false;  // the end of f(struct S* s)
      break;
    case ';':
    case '=':
      tagged_ = inSpaceName_ = false;
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

Scope::Level Scope::opened(std::size_t index) {
  if (inSpaceName_) {
    inSpaceName_ = false;
    return {Brace::Namespace, spaceName_, index, now_, holes_.size()};
  }
  const bool externC =
      cursor_.at(index - 1).kind == TokenKind::String && cursor_.bytes(index - 2) == "extern";
  return {tagged_ ? tag_ : externC ? Brace::ExternC : Brace::Block, {}, index, now_, holes_.size()};
}

namespace {

bool isTag(std::string_view word) { return word == "struct" || word == "class" || word == "union"; }

}  // namespace

std::string_view Scope::record() const {
  if (!inRecord()) return {};
  const std::size_t brace = levels_.back().token;
  for (std::size_t i = statementStart(brace); i < brace; ++i) {
    // struct alignas(16) NAME final : Base {
    if (!cursor_.isWord(i) || !isTag(cursor_.bytes(i))) continue;
    for (std::size_t k = i + 1; k <= brace; ++k) {
      const bool ends = cursor_.isMark(k, '{') || cursor_.isMark(k, ':') || cursor_.bytes(k) == "final";
      if (ends && cursor_.isWord(k - 1) && k - 1 > i) return cursor_.bytes(k - 1);
    }
  }
  return {};
}

/// Is it the brace of namespace or record `name`, or of a function `name::f(...)`?
bool Scope::belongsTo(const Level& level, std::string_view name) const {
  if (!level.name.empty()) return level.name == name;
  if (level.brace != Brace::Record && level.brace != Brace::Block) return false;
  for (std::size_t i = statementStart(level.token); i < level.token; ++i) {
    if (!cursor_.isWord(i) || cursor_.bytes(i) != name) continue;
    if (level.brace == Brace::Block ? cursor_.isMark(i + 1, mark::kScope)
                                    : i > 0 && !cursor_.isMark(i - 1, ':'))
      return true;
  }
  return false;
}

bool Scope::sees(std::string_view name) const {
  return std::any_of(levels_.begin(), levels_.end(),
                     [&](const Level& level) { return belongsTo(level, name); }) ||
         std::find(usings_.begin(), usings_.end(), name) != usings_.end();
}

/// Index of the first token of the statement that holds `index`; of a statement that is longer than any
/// that declares something, some token of it.
std::size_t Scope::statementStart(std::size_t index) const {
  constexpr std::size_t kLongest = 4096;
  for (std::size_t last = index; index > 0 && last - index < kLongest;) {
    const Token& token = cursor_.at(index - 1);
    if (token.kind == TokenKind::DirectiveEnd || token.kind == TokenKind::Directive) break;
    if (token.kind == TokenKind::Punctuator && (token.mark == ';' || token.mark == '{' || token.mark == '}'))
      break;
    --index;
  }
  return index;
}

/// `type NAME`, `type* NAME`, `type<int>& NAME`: a declaration's name, not a use in an expression.
bool Scope::afterTypeWord(std::size_t index) const {
  std::size_t type = index - 1;
  while (cursor_.isMark(type, '*') || cursor_.isMark(type, '&')) --type;
  return (cursor_.isWord(type) || cursor_.isMark(type, '>')) && !behindInitializer(index);
}

/// `int x = n * NAME`: is an = between the statement's beginning and the token, other than of a template's?
bool Scope::behindInitializer(std::size_t index) const {
  int angles = 0;
  for (std::size_t i = statementStart(index); i < index; ++i) {
    if (cursor_.isMark(i, '<')) ++angles;
    if (cursor_.isMark(i, '>')) --angles;
    if (angles <= 0 && cursor_.isMark(i, '=') && cursor_.bytes(i - 1) != "operator") return true;
  }
  return false;
}

bool Scope::isReturnType(std::size_t index) const {
  const std::size_t before = index - 2;
  static constexpr std::array<std::string_view, 7> kSpecifiers = {
      "mutable", "noexcept", "const", "volatile", "constexpr", "override", "final"};
  if (cursor_.isWord(before))
    return std::find(kSpecifiers.begin(), kSpecifiers.end(), cursor_.bytes(before)) != kSpecifiers.end();
  if (cursor_.isMark(before, '&')) return true;
  // A body follows, of a function or a lambda.
  std::size_t after = index + 1;
  while (cursor_.isMark(after, '*') || cursor_.isMark(after, '&') || cursor_.bytes(after) == "const") ++after;
  if (cursor_.isMark(after, '{')) return true;
  return cursor_.isMark(before, ')') && declaresAuto(before);
}

/// `auto name(...)`, but not `auto name = f(...)`. `close`: the last bracket.
bool Scope::declaresAuto(std::size_t close) const {
  const std::size_t start = statementStart(close);
  bool found = false;
  int depth = 0;
  for (std::size_t i = start; i <= close; ++i) {
    if (cursor_.isMark(i, '(')) ++depth;
    if (cursor_.isMark(i, ')')) --depth;
    if (depth != 0) continue;
    if (cursor_.bytes(i) == "auto") found = true;
    if (cursor_.isMark(i, '=')) found = false;
  }
  return found && depth == 0;
}

bool Scope::declaresLocal(std::size_t index) const {
  if (inDirective_ || levels_.empty() || levels_.back().brace != Brace::Block) return false;
  if (!cursor_.isMark(index + 1, ';') && !cursor_.isMark(index + 1, '=') && !cursor_.isMark(index + 1, ','))
    return false;
  if (signOf(index + 1) == "==" || parensBefore(index) != 0) return false;
  const std::size_t start = statementStart(index);
  std::size_t type = index - 1;
  while (type > start && (cursor_.isMark(type, '*') || cursor_.isMark(type, '&'))) --type;
  // `a * NAME;` would be a product; a type stands at the beginning, behind qualifiers at most.
  if (!cursor_.isWord(type) || (type != index - 1 && type > start + 1)) return false;
  static constexpr std::array<std::string_view, 19> kNoType = {
      "return", "throw", "delete", "new",  "goto",   "else",     "case",      "do",       "namespace", "not",
      "struct", "class", "union",  "enum", "sizeof", "typename", "co_return", "co_yield", "co_await"};
  return std::find(kNoType.begin(), kNoType.end(), cursor_.bytes(type)) == kNoType.end();
}

/// Two characters from token `index` on, if they touch.
std::string_view Scope::signOf(std::size_t index) const {
  return cursor_.text.substr(cursor_.at(index).begin, 2);
}

/// At the bracket of a parameter list: does a body follow?
bool Scope::startsBody(std::size_t index) const {
  int depth = 0;
  for (; index < cursor_.tokens.size(); ++index) {
    const Token& token = cursor_.at(index);
    if (token.kind == TokenKind::Directive || cursor_.isMark(index, ';')) return false;
    if (cursor_.isMark(index, '(')) ++depth;
    if (cursor_.isMark(index, ')')) --depth;
    if (depth == 0 && cursor_.isMark(index, '{')) return true;
    if (depth == 0 && (cursor_.isMark(index, '=') || cursor_.isMark(index, ','))) return false;
  }
  return false;
}

bool Scope::defines(std::size_t index) const {
  const std::string_view before = cursor_.bytes(index - 1);
  if (inEnum()) {
    return (cursor_.isMark(index - 1, '{') || cursor_.isMark(index - 1, ',')) &&
           (cursor_.isMark(index + 1, ',') || cursor_.isMark(index + 1, '=') ||
            cursor_.isMark(index + 1, '}'));
  }
  if (before == "struct" || before == "class" || before == "union" || before == "enum") {
    return cursor_.isMark(index + 1, '{') || cursor_.isMark(index + 1, ':');
  }
  if (!afterTypeWord(index)) return false;
  if (cursor_.isMark(index + 1, '(')) return startsBody(index + 1);
  const std::string_view first = cursor_.bytes(statementStart(index));
  return (cursor_.isMark(index + 1, '=') || cursor_.isMark(index + 1, ';') ||
          cursor_.isMark(index + 1, '[')) &&
         first != "typedef" && first != "using" && first != "extern" && first != "struct" &&
         first != "class" && first != "union" && first != "enum" && first != "template" && first != "friend";
}

/// `CUresult cuInit(...)`, `tcuInit* cuInit;`: what takes the API's place has its types.
bool Scope::hasTypeOfApi(std::size_t index, std::string_view name) const {
  for (std::size_t i = statementStart(index); i < index; ++i) {
    if (!cursor_.isWord(i)) continue;
    KnownName type;
    const std::string_view word = cursor_.bytes(i);
    if (word.ends_with(name) || (cursor_.lexicon.find(word, type) && type.kind == NameKind::Rename))
      return true;
  }
  return false;
}

/// Is any brace open other than of namespaces and extern "C", and of an enumeration in them?
bool Scope::inFunctionOrRecord() const {
  const auto last = levels_.end() - (inEnum() ? 1 : 0);
  return std::any_of(levels_.begin(), last, [](const Level& level) {
    return level.brace != Brace::Namespace && level.brace != Brace::ExternC;
  });
}

std::optional<Definition> Scope::definition(std::size_t index, std::string_view name) const {
  // Most uses are in functions.
  if (inDirective_ || index == 0 || inFunctionOrRecord() || parensBefore(index) != 0) return std::nullopt;
  const bool enumerator = inEnum();
  Definition result{Definition::Kind::Plain, cursor_.at(index).begin, std::string(name), {}, false};
  bool externC = false;
  for (std::size_t i = 0; i + (enumerator ? 1 : 0) < levels_.size(); ++i) {
    externC = externC || levels_[i].brace == Brace::ExternC;
    if (!levels_[i].name.empty()) result.space = levels_[i].name;
    result.local = result.local || (levels_[i].brace == Brace::Namespace && levels_[i].name.empty());
  }
  if (!defines(index)) return std::nullopt;
  const std::size_t start = statementStart(index);
  const std::string_view before = cursor_.bytes(index - 1);
  result.local = result.local || enumerator || isTag(before) || before == "enum";
  externC = externC || (cursor_.bytes(start) == "extern" && cursor_.at(start + 1).kind == TokenKind::String);
  result.local = result.local || cursor_.bytes(start) == "static";
  if (externC || (result.space.empty() && hasTypeOfApi(index, name))) {
    result.kind = Definition::Kind::Interposer;
  } else if (!result.space.empty()) {
    result.kind = Definition::Kind::InNamespace;
  } else if (open_.size() > (guarded_ ? 1U : 0U)) {
    result.kind = Definition::Kind::Conditional;
  }
  return result;
}

bool Scope::declaresMember(std::size_t index) const {
  if (inDirective_ || !inRecord() || index == 0) return false;
  const Token& next = cursor_.at(index + 1);
  const std::uint32_t parens = parensBefore(index);
  if (parens == 1) {  // result (*NAME)(arguments)
    return cursor_.isMark(index - 1, '*') && cursor_.isMark(index - 2, '(') &&
           cursor_.isMark(index + 1, ')') && cursor_.isMark(index + 2, '(');
  }
  if (parens != 0 || next.kind != TokenKind::Punctuator) return false;
  static constexpr std::string_view kFollow = ";=,[{:(";
  if (kFollow.find(next.mark) == std::string_view::npos) return false;
  if (!afterTypeWord(index)) return false;
  if (!cursor_.isWord(index - 1)) return true;
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
