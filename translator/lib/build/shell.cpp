#include "translator/lib/build/shell.h"

#include <algorithm>
#include <string>

#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Of a line and those that continue it by a backslash.
std::size_t lineEnd(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t last = end;
    if (last > at && text[last - 1] == '\r') --last;
    if (last == at || text[last - 1] != '\\' || end == text.size()) return end;
    at = end + 1;
  }
}

/// The end of one command: ; && || | or the line's, outside of quotes.
std::size_t commandEnd(std::string_view text, std::size_t at, std::size_t end) {
  char quote = '\0';
  for (; at < end; ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ';' || c == '|' || (c == '&' && at + 1 < end && text[at + 1] == '&')) {
      return at;
    } else if (c == '#' && at > 0 && isBlank(text[at - 1])) {
      return at;
    }
  }
  return std::min(at, end);
}

bool speaks(std::string_view command) {
  command.remove_prefix(std::min(command.find_first_not_of(" \t@-+("), command.size()));
  for (const std::string_view word : {"echo", "printf"}) {
    if (command.starts_with(word) && command.size() > word.size() && isBlank(command[word.size()]))
      // What goes to a file is read by another program.
      return command.find('>') == std::string_view::npos || command.find(">&2") != std::string_view::npos;
  }
  return false;
}

/// Names of packages that a package manager is asked for.
void reportPackages(BuildEditor& editor, std::size_t begin, std::size_t end) {
  const std::string_view text = editor.text();
  const std::string_view command = text.substr(begin, end - begin);
  if (command.find("install") == std::string_view::npos) return;
  for (std::size_t at = begin; at < end;) {
    while (at < end && (isBlank(text[at]) || text[at] == '\n' || text[at] == '\\')) ++at;
    std::size_t wordEnd = at;
    while (wordEnd < end && !isBlank(text[wordEnd]) && text[wordEnd] != '\n') ++wordEnd;
    const BuildRow* row = findBeginning(BuildTable::Packages, text.substr(at, wordEnd - at));
    if (row && wordEnd > at) editor.leave(at, wordEnd, row->advice);
    at = wordEnd + (wordEnd == at ? 1 : 0);
  }
}

/// The lines of a script; comments are ported.
template <typename Visit>
void forEachLine(BuildEditor& editor, Visit visit) {
  const std::string_view text = editor.text();
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = lineEnd(text, at);
    std::size_t begin = at;
    while (begin < end && isBlank(text[begin])) ++begin;
    if (begin < end && text[begin] == '#') {
      end = std::min(text.find('\n', begin), text.size());  // a backslash does not continue it
      portComment(editor, begin, end, false);
    } else if (begin < end) {
      visit(begin, end);
    }
    at = end + 1;
  }
}

bool runsCompiler(std::string_view line) {
  return line.find("nvcc ") != std::string_view::npos || line.find("NVCC") != std::string_view::npos;
}

}  // namespace

void portCommands(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context) {
  const std::string_view text = editor.text();
  for (std::size_t at = begin; at < end;) {
    const std::size_t stop = commandEnd(text, at, end);
    if (speaks(text.substr(at, stop - at))) {
      portReferences(editor, at, stop, context);
    } else {
      portWords(editor, at, stop, context);
    }
    if (stop < end && text[stop] == '#') return portComment(editor, stop, end, false);
    at = stop + 1;
  }
}

void portShell(BuildEditor& editor) {
  forEachLine(editor, [&](std::size_t begin, std::size_t end) {
    WordContext context;
    context.compiler = runsCompiler(editor.text().substr(begin, end - begin));
    portCommands(editor, begin, end, context);
    reportPackages(editor, begin, end);
  });
}

void portDocker(BuildEditor& editor) {
  forEachLine(editor, [&](std::size_t begin, std::size_t end) {
    const std::string_view line = editor.text().substr(begin, end - begin);
    if (line.starts_with("FROM ") || line.starts_with("from ")) {
      std::size_t image = begin + 5;
      while (image < end && isBlank(editor.text()[image])) ++image;
      if (const BuildRow* row = findBeginning(BuildTable::Images, editor.text().substr(image, end - image)))
        editor.leave(image, std::min(editor.text().find_first_of(" \r\n", image), end), row->advice);
      return;
    }
    WordContext context;
    context.compiler = runsCompiler(line);
    portCommands(editor, begin, end, context);
    reportPackages(editor, begin, end);
  });
}

}  // namespace musashim::translator
