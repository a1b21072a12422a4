#include "translator/lib/idioms/idioms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace musashim::translator {
namespace {

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Does the text hold `words`, other than behind part of a word?
bool holds(std::string_view text, std::string_view words) {
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    if (at == 0 || !isWordCharacter(text[at - 1])) return true;
  }
  return false;
}

/// Arguments of the call whose bracket is token `open`; 0 if it has no end.
std::size_t argumentsOf(const Cursor& cursor, std::size_t open) {
  constexpr std::size_t kLongest = 1024;
  int depth = 0;
  std::size_t commas = 0;
  for (std::size_t i = open; i < std::min(open + kLongest, cursor.tokens.size()); ++i) {
    const Token& token = cursor.at(i);
    if (token.kind != TokenKind::Punctuator) continue;
    if (token.mark == '(' || token.mark == '{' || token.mark == '[') ++depth;
    if (token.mark == ')' || token.mark == '}' || token.mark == ']') --depth;
    if (token.mark == ',' && depth == 1) ++commas;
    if (depth == 0) return cursor.isMark(i - 1, '(') ? 0 : commas + 1;
  }
  return 0;
}

/// Do the brackets behind a word hold nothing but `argument`, once or several times?
bool holdsOnly(const Cursor& cursor, std::size_t open, std::string_view argument) {
  if (!cursor.isMark(open, '(')) return false;
  std::size_t at = open;
  do {
    if (at + 2 >= cursor.tokens.size() || cursor.bytes(at + 1) != argument) return false;
    at += 2;
  } while (cursor.isMark(at, ','));
  return cursor.isMark(at, ')');
}

}  // namespace

bool Idioms::noteDevice(std::size_t index) {
  static constexpr std::array<std::string_view, 3> kEnumerations = {"DeviceType", "Backend", "DispatchKey"};
  static constexpr std::array<std::string_view, 3> kNamespaces = {"at", "c10", "torch"};
  const Token& token = cursor_.at(index);
  const bool scoped = index > 1 && cursor_.isMark(index - 1, mark::kScope);
  const std::string_view before = scoped ? cursor_.bytes(index - 2) : std::string_view();
  if (cursor_.bytes(index) == "cuda") {
    if (!isOneOf(kNamespaces, before) || !cursor_.isMark(index + 1, mark::kScope)) return false;
    cursor_.rename(token, "musa");
    cursor_.found(FindingKind::Name, token, "cuda", "pytorch");
    return true;
  }
  const bool registers = index > 3 && cursor_.isMark(index - 1, ',') && cursor_.isMark(index - 3, '(') &&
                         cursor_.bytes(index - 4) == "TORCH_LIBRARY_IMPL";
  if (!registers && !isOneOf(kEnumerations, before)) return false;
  // PyTorch on MUSA is its backend PrivateUse1.
  cursor_.rename(token, "PrivateUse1");
  cursor_.found(FindingKind::Name, token, "CUDA", "pytorch");
  return true;
}

void Idioms::checkUse(std::size_t index, std::string_view name) {
  const NotedUse* const use = findNotedUse(name);
  if (!use) return;
  if (use->most > 0 && (!cursor_.isMark(index + 1, '(') || argumentsOf(cursor_, index + 1) <= use->most))
    return;
  cursor_.report(FindingKind::Note, cursor_.at(index), name, "idioms", adviceOn(*use));
}

void Idioms::port(const Word& word) {
  const Token& token = cursor_.at(word.index);
  const PlainWord* const plain = findPlainWord(word.name.name);
  if (plain && holdsOnly(cursor_, word.index + 1, plain->argument)) return;
  if (word.name.target.empty())
    return cursor_.report(FindingKind::Unported, token, word.name.name, word.name.library, word.name.advice);
  cursor_.rename(token, word.name);
  cursor_.found(FindingKind::Name, token, word.name.name, word.name.library);
}

void Idioms::report() {
  for (const IdiomEvidence& evidence : idiomEvidence()) {
    const auto isOfLibrary = [&](const Word& word) { return word.name.library == evidence.library; };
    if (std::none_of(words_.begin(), words_.end(), isOfLibrary) || !holds(cursor_.text, evidence.text))
      continue;
    for (const Word& word : words_) {
      if (isOfLibrary(word)) port(word);
    }
    std::erase_if(words_, isOfLibrary);
  }
}

}  // namespace musashim::translator
