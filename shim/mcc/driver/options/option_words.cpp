#include "option_words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

constexpr StringRef kEscapedQuote = "\\\"";

bool hasBareComma(StringRef text) {
  for (size_t at = text.find(','); at != StringRef::npos; at = text.find(',', at + 1))
    if (at == 0 || text[at - 1] != '\\') return true;
  return false;
}

// Of `text` that begins with an escaped quote: up to the one that ends it where there is a comma between
// them, else nothing.
StringRef escapedQuotation(StringRef text) {
  const size_t end = text.find(kEscapedQuote, kEscapedQuote.size());
  if (!text.starts_with(kEscapedQuote) || end == StringRef::npos) return {};
  const StringRef quotation = text.take_front(end + kEscapedQuote.size());
  return hasBareComma(quotation) ? quotation : StringRef();
}

// What the shell that nvcc starts would read.
std::string shellText(StringRef list) {
  std::string text;
  bool isQuoted = false;
  while (!list.empty()) {
    const bool isPlain = !isQuoted && !StringRef(text).ends_with("\\");
    const StringRef kept = isPlain ? escapedQuotation(list) : StringRef();
    if (!kept.empty()) {
      text += kept;
      list = list.drop_front(kept.size());
      continue;
    }
    if (list.size() > 1 && list.front() == '\\') {
      list = list.drop_front();
      text += list.front();
    } else if (list.front() == ',' && !isQuoted) {
      text += ' ';
    } else {
      if (list.front() == '"') isQuoted = !isQuoted;
      text += list.front();
    }
    list = list.drop_front();
  }
  return text;
}

}  // namespace

Strings wordsOfList(StringRef list) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*, 8> words;
  llvm::cl::TokenizeGNUCommandLine(shellText(list), saver, words);
  return {words.begin(), words.end()};
}

Strings valuesOfList(StringRef list) {
  Strings values(1);
  bool isQuoted = false;
  for (; !list.empty(); list = list.drop_front()) {
    if (list.size() > 1 && list.front() == '\\') {
      list = list.drop_front();
      values.back() += list.front();
    } else if (list.front() == ',' && !isQuoted) {
      values.emplace_back();
    } else {
      if (list.front() == '"') isQuoted = !isQuoted;
      values.back() += list.front();
    }
  }
  return values;
}

Strings wordsOfVariable(StringRef text) {
  Strings words;
  bool isQuoted = false, inWord = false;
  for (; !text.empty(); text = text.drop_front()) {
    if (llvm::isSpace(text.front()) && !isQuoted) {
      inWord = false;
      continue;
    }
    if (!inWord) words.emplace_back();
    inWord = true;
    if (text.size() > 1 && text.front() == '\\') {
      words.back() += text.front();
      text = text.drop_front();
    } else if (text.front() == '"') {
      isQuoted = !isQuoted;
    }
    words.back() += text.front();
  }
  return words;
}

}  // namespace musashim::mcc
