#include "translator/lib/build/options.h"

#include <algorithm>
#include <string>

#include "translator/lib/build/architecture_words.h"
#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

bool endsWord(char c) {
  return isBlank(c) || std::string_view("\r\n;\"'`)>}#").find(c) != std::string_view::npos;
}

}  // namespace

/// The end of the word at `at`; $(...) and ${...} belong to it whole.
std::size_t OptionPorter::wordEnd(std::size_t at) const {
  const std::string_view text = editor_.text();
  int depth = 0;
  for (; at < end_; ++at) {
    const char c = text[at];
    if (c == '$' && at + 1 < end_ && (text[at + 1] == '(' || text[at + 1] == '{')) {
      ++depth;
      ++at;
    } else if (depth > 0) {
      if (c == ')' || c == '}') --depth;
    } else if (endsWord(c)) {
      break;
    }
  }
  return at;
}

/// Behind '=' or spaces, line ends and one semicolon; in quotes of its own or not.
OptionPorter::Value OptionPorter::valueBehind(std::size_t nameEnd) const {
  const std::string_view text = editor_.text();
  std::size_t at = nameEnd;
  if (at < end_ && text[at] == '=') {
    ++at;
  } else {
    while (at < end_ &&
           (isBlank(text[at]) || text[at] == ';' || text[at] == '\n' || text[at] == '\r' ||
            (text[at] == '\\' && at + 1 < end_ && (text[at + 1] == '\n' || text[at + 1] == '\r'))))
      ++at;
  }
  if (at < end_ && (text[at] == '"' || text[at] == '\'')) {
    const std::size_t close = text.find(text[at], at + 1);
    if (close != std::string_view::npos && close < end_) return {at + 1, close, close + 1};
  }
  const std::size_t end = wordEnd(at);
  return {at, end, end};
}

/// The blanks, and a continued line's end, before an option that goes.
std::size_t OptionPorter::removalBegin(std::size_t at) const {
  const std::string_view text = editor_.text();
  std::size_t from = at;
  while (from > begin_) {
    const char c = text[from - 1];
    const bool continued = (c == '\n' && from >= begin_ + 2 && text[from - 2] == '\\');
    if (isBlank(c)) {
      --from;
    } else if (continued) {
      from -= 2;
    } else {
      break;
    }
  }
  return from;
}

std::size_t OptionPorter::remove(std::size_t at, std::size_t end) {
  const std::string_view text = editor_.text();
  std::size_t from = removalBegin(at);
  const bool atLineStart = from == begin_ || text[from - 1] == '\n';
  if (from == at && at > begin_ && text[at - 1] == ';') from = at - 1;
  // In quotes of its own, with nothing else, the whole argument goes.
  if (from == at && at > begin_ && end < end_ && text[at - 1] == '"' && text[end] == '"') {
    from = removalBegin(at - 1);
    ++end;
  }
  if (atLineStart) from = at;
  if (from == at) {
    while (end < end_ && isBlank(text[end])) ++end;
  }
  editor_.replace(from, end, "");
  return end;
}

/// -Xcompiler -Wall,-Wextra => -Wall -Wextra
std::size_t OptionPorter::portList(std::size_t at, const Value& value) {
  const std::string_view text = editor_.text();
  std::string words(text.substr(value.begin, value.end - value.begin));
  const bool plain = words.find_first_of("\\\"'") == std::string::npos && !words.empty();
  // A comma may be one of the value's: -Wl,-rpath,x.
  if (!plain || words.find("-Wl,") != std::string::npos) return value.next;
  if (words.find("$(") == std::string::npos && words.find("${") == std::string::npos)
    std::replace(words.begin(), words.end(), ',', context_.separator);
  editor_.replace(at, value.next, words);
  return value.next;
}

std::size_t OptionPorter::portArchitecture(std::size_t at, std::size_t nameEnd, const Value& value) {
  const std::string_view text = editor_.text();
  const std::string_view written = text.substr(value.begin, value.end - value.begin);
  const auto architectures = architecturesOfOption(written);
  if (!architectures) {
    if (written.find('$') == std::string_view::npos) return at;
    // -arch=$(ARCH) is an option of other compilers, too.
    const bool isNvccs = written.find("sm_") != std::string_view::npos ||
                         written.find("compute_") != std::string_view::npos || context_.compiler;
    if (text.substr(at, nameEnd - at) == "-arch" && !isNvccs) return at;
    editor_.leave(at, value.next,
                  {"the architecture is put together when the build runs",
                   "write '--offload-arch=mp_NN' with MUSA's numbers (21, 22, 31)"});
    return value.next;
  }
  std::string becomes;
  for (const int musa : *architectures) {
    if (!architectures_.insert(musa).second) continue;
    if (!becomes.empty()) becomes += context_.separator;
    becomes += "--offload-arch=mp_" + std::to_string(musa);
  }
  if (becomes.empty()) return remove(at, value.next);
  editor_.replace(at, value.next, becomes);
  return value.next;
}

std::size_t OptionPorter::port(std::size_t at) {
  const std::string_view text = editor_.text();
  std::size_t name = at;
  while (name < end_ && name < at + 2 && text[name] == '-') ++name;
  std::size_t nameEnd = name;
  while (nameEnd < end_ && (isAsciiWordByte(text[nameEnd]) || text[nameEnd] == '-')) ++nameEnd;
  if (nameEnd == name) return at;
  const std::string_view word = text.substr(name, nameEnd - name);
  const std::size_t whole = wordEnd(at);
  const BuildOption* option = findOption(text.substr(name, whole - name));
  const bool exact = option != nullptr;
  if (!option) option = findOption(word);
  if (!option) return at;
  const std::size_t end = exact ? whole : nameEnd;
  const std::string by = "-" + std::string(option->becomes);
  switch (option->action) {
    case OptionAction::Drop:
      // --threads belongs to many programs; what nvcc alone has needs no look around.
      return remove(at, end);
    case OptionAction::DropValue:
      if ((word == "threads" || word == "cudart" || word == "restrict") && !context_.compiler) return at;
      return remove(at, valueBehind(nameEnd).next);
    case OptionAction::Words:
      return portList(at, valueBehind(nameEnd));
    case OptionAction::Linker:
      editor_.replace(at, nameEnd, "-Xlinker");
      return nameEnd;
    case OptionAction::Architecture:
      return portArchitecture(at, nameEnd, valueBehind(nameEnd));
    case OptionAction::BesideCompiler:
      if (!context_.compiler) return at;
      [[fallthrough]];
    case OptionAction::Replace:
      editor_.replace(at, end, by);
      return end;
    case OptionAction::Unported:
      if (!context_.compiler || (end < end_ && !endsWord(text[end]))) return at;
      editor_.leave(at, end, option->advice);
      return end;
  }
  return at;
}

}  // namespace musashim::translator
