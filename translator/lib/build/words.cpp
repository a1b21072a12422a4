#include "translator/lib/build/words.h"

#include <algorithm>
#include <cctype>

#include "translator/lib/build/architecture_words.h"
#include "translator/lib/build/build_table.h"
#include "translator/lib/build/options.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kToolkit = "/usr/local/cuda";

bool isNameByte(char c) { return isAsciiWordByte(c) || c == '-' || c == '+'; }
bool isFileByte(char c) { return isNameByte(c) || c == '.' || c == '/'; }
bool hasSmallLetter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

class WordPorter {
 public:
  WordPorter(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context)
      : editor_(editor),
        text_(editor.text()),
        begin_(begin),
        end_(end),
        context_(context),
        options_(editor, begin, end, context) {}

  void run() {
    for (std::size_t at = begin_; at < end_;) at = step(at);
  }

 private:
  std::size_t step(std::size_t at) {
    const char before = at > begin_ ? text_[at - 1] : ' ';
    if (!context_.comment && text_[at] == '-' && !isFileByte(before) && before != ')' && before != '}')
      return portDash(at);
    if (text_[at] == '/' && text_.substr(at, kToolkit.size()) == kToolkit) {
      if (const std::size_t next = portToolkit(at); next != at) return next;
    }
    if (!context_.comment && !editor_.options().keepFileNames && text_[at] == '.' && startsSuffix(at))
      return portSuffix(at);
    if (isAsciiWordByte(text_[at]) && !isAsciiWordByte(before)) return portWord(at, before);
    return at + 1;
  }

  std::size_t portDash(std::size_t at) {
    if (const std::size_t next = options_.port(at); next != at) return next;
    const char letter = at + 1 < end_ ? text_[at + 1] : ' ';
    if (letter == 'l' && at + 2 < end_ && isAsciiWordByte(text_[at + 2])) {
      std::size_t end = at + 2;
      while (end < end_ && isNameByte(text_[end])) ++end;
      portLibrary(at + 2, end);
      return end;
    }
    if (letter == 'D' && at + 2 < end_ && isAsciiWordByte(text_[at + 2])) return portDefinition(at + 2);
    return at + 1;
  }

  /// What -D names: a macro of the API follows its name, a variable of CMake's, too.
  std::size_t portDefinition(std::size_t at) {
    const std::size_t end = wordEnd(at);
    const std::string_view word = text_.substr(at, end - at);
    if (portCMakeName(at, end, word)) return skipValue(at, end);
    if (portKnown(at, end, true)) return end;
    portVariable(at, end);
    return end;
  }

  bool portLibrary(std::size_t begin, std::size_t end) {
    // find_library(... NAMES nccl libnccl)
    if (text_.substr(begin, 3) == "lib" && end > begin + 3 && !context_.own &&
        findRow(BuildTable::Libraries, text_.substr(begin + 3, end - begin - 3)))
      begin += 3;
    const BuildRow* row = findRow(BuildTable::Libraries, text_.substr(begin, end - begin));
    if (!row) return false;
    if (context_.own && context_.own->contains(row->name)) return false;
    if (row->becomes.empty()) {
      editor_.leave(begin, end, row->advice);
    } else {
      editor_.replace(begin, end, row->becomes);
    }
    return true;
  }

  /// /usr/local/cuda-12.4/lib64 => /usr/local/musa/lib
  std::size_t portToolkit(std::size_t at) {
    std::size_t end = at + kToolkit.size();
    if (end < end_ && text_[end] == '-') {
      std::size_t digit = end + 1;
      while (digit < end_ && (std::isdigit(static_cast<unsigned char>(text_[digit])) || text_[digit] == '.'))
        ++digit;
      if (digit == end + 1) return at;
      end = digit;
    } else if (end < end_ && isNameByte(text_[end])) {
      return at;
    }
    editor_.replace(at, end, "/usr/local/musa");
    return portBelowToolkit(end);
  }

  /// The SDK has lib where CUDA has lib64 and targets/x86_64-linux/lib.
  std::size_t portBelowToolkit(std::size_t at) {
    for (const std::string_view folder : {"/targets/x86_64-linux", "/lib64"}) {
      if (text_.substr(at, folder.size()) != folder) continue;
      const std::size_t end = at + folder.size();
      if (end < end_ && isNameByte(text_[end])) continue;
      editor_.replace(at, end, folder == "/lib64" ? "/lib" : "");
      return end;
    }
    return at;
  }

  /// .cu and .cuh at the end of a file's name, or before an object's suffix.
  bool startsSuffix(std::size_t at) const {
    if (text_.substr(at, 3) != ".cu") return false;
    std::size_t end = at + 3;
    if (end < end_ && text_[end] == 'h') ++end;
    if (end >= end_) return true;
    if (isNameByte(text_[end])) return false;
    if (text_[end] != '.') return true;
    for (const std::string_view after : {".o", ".obj", ".d", ".lo"}) {
      const std::size_t behind = end + after.size();
      if (text_.substr(end, after.size()) == after && (behind >= end_ || !isFileByte(text_[behind])))
        return true;
    }
    return end + 1 >= end_ || !isFileByte(text_[end + 1]);
  }

  std::size_t portSuffix(std::size_t at) {
    editor_.replace(at, at + 3, ".mu");
    return at + 3;
  }

  std::size_t wordEnd(std::size_t at) const {
    while (at < end_ && isAsciiWordByte(text_[at])) ++at;
    return at;
  }

  std::size_t portWord(std::size_t at, char before) {
    std::size_t end = wordEnd(at);
    std::size_t nameEnd = end;
    while (nameEnd < end_ && isNameByte(text_[nameEnd])) ++nameEnd;
    const std::string_view word = text_.substr(at, end - at);
    const char after = end < end_ ? text_[end] : ' ';
    const bool known = mayBeginRow(word);
    if (known && (portTarget(at, end) || portCMakeName(at, end, word))) return skipValue(at, end);
    if (known && portVariable(at, end)) return end;
    if (!context_.comment && portFile(at, end)) return fileEnd(at);
    if (!known) return end;
    if (!context_.comment && !isNameByte(before) && before != '.' && portProgram(at, nameEnd)) return nameEnd;
    if (context_.libraries && isAlone(at, nameEnd) && portLibrary(at, nameEnd)) return nameEnd;
    if (!isFileByte(before) && after != '-' && after != '.' && after != '/' && portKnown(at, end, false))
      return end;
    return end;
  }

  /// CUDA::cudart
  bool portTarget(std::size_t at, std::size_t& end) {
    if (!context_.cmake || text_.substr(end, 2) != "::") return false;
    const std::size_t whole = wordEnd(end + 2);
    const std::string_view name = text_.substr(at, whole - at);
    const BuildRow* row = findRow(BuildTable::CMakeWords, name);
    if (!row) return false;
    if (row->becomes.empty()) {
      editor_.leave(at, whole, row->advice);
    } else {
      editor_.replace(at, whole, row->becomes);
    }
    end = whole;
    return true;
  }

  bool portCMakeName(std::size_t at, std::size_t end, std::string_view word) {
    const bool defined = at >= begin_ + 2 && text_[at - 1] == 'D' && text_[at - 2] == '-';
    if (!context_.cmake && !defined) return false;
    if (const BuildRow* row = findRow(BuildTable::CMakeWords, word)) {
      if (row->becomes.empty()) {
        editor_.leave(at, end, row->advice);
      } else {
        editor_.replace(at, end, row->becomes);
      }
      return true;
    }
    const BuildRow* row = findBeginning(BuildTable::CMakeBeginnings, word);
    if (!row) return false;
    editor_.replace(at, end, std::string(row->becomes).append(word.substr(row->name.size())));
    return true;
  }

  /// -DCMAKE_CUDA_ARCHITECTURES=80;90: the numbers behind the name.
  std::size_t skipValue(std::size_t at, std::size_t end) {
    if (!text_.substr(at, end - at).ends_with("CUDA_ARCHITECTURES") || end >= end_ || text_[end] != '=')
      return end;
    std::size_t from = end + 1;
    if (from < end_ && (text_[from] == '"' || text_[from] == '\'')) ++from;
    std::size_t to = from;
    while (to < end_ && (isAsciiWordByte(text_[to]) || text_[to] == ';' || text_[to] == '-')) ++to;
    if (const auto list = architectureList(text_.substr(from, to - from))) editor_.replace(from, to, *list);
    return to;
  }

  bool portVariable(std::size_t at, std::size_t end) {
    const std::string_view word = text_.substr(at, end - at);
    const BuildRow* row = findRow(BuildTable::Variables, word);
    if (row) {
      editor_.replace(at, end, row->becomes);
      // $(CUDA_HOME)/lib64
      if (end < end_ && (text_[end] == ')' || text_[end] == '}'))
        portBelowToolkit(end + 1);
      else
        portBelowToolkit(end);
      return true;
    }
    KnownName known;
    if (hasSmallLetter(word) || !editor_.options().lexicon->find(word, known) ||
        known.kind != NameKind::Symbol)
      return false;
    if (known.target.empty()) {
      editor_.leave(at, end, known.advice);
    } else {
      editor_.replace(at, end, known.target, FindingKind::Symbol);
    }
    return true;
  }

  bool portProgram(std::size_t at, std::size_t end) {
    const BuildRow* row = findRow(BuildTable::Programs, text_.substr(at, end - at));
    if (!row || (end < end_ && (text_[end] == '.' || text_[end] == '=') && row->becomes.empty()))
      return false;
    if (end + 1 < end_ && text_[end] == '.' && isAsciiWordByte(text_[end + 1])) return false;
    if (row->becomes.empty()) {
      editor_.leave(at, end, row->advice);
    } else {
      editor_.replace(at, end, row->becomes);
    }
    return true;
  }

  std::size_t fileEnd(std::size_t at) const {
    while (at < end_ && isFileByte(text_[at])) ++at;
    return at;
  }

  /// libcudart.so.12, and headers of the toolkit's that are no files of the project.
  bool portFile(std::size_t at, std::size_t word) {
    if (word >= end_ || !isFileByte(text_[word])) return false;
    const std::size_t end = fileEnd(at);
    const std::string_view file = text_.substr(at, end - at);
    if (file.find('.') == std::string_view::npos) return false;
    return portLibraryFile(end, file) || portHeader(end, file);
  }

  bool portLibraryFile(std::size_t end, std::string_view file) {
    const std::size_t slash = file.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
    if (!name.starts_with("lib")) return false;
    const std::size_t so = std::min(name.find(".so"), name.find(".a"));
    if (so == std::string_view::npos) return false;
    const BuildRow* row = findRow(BuildTable::Libraries, name.substr(3, so - 3));
    if (!row) return false;
    const std::size_t begin = end - name.size();
    if (row->becomes.empty()) {
      editor_.leave(begin, end, row->advice);
      return true;
    }
    KnownName known;
    if (editor_.options().lexicon->find(name, known) && known.kind == NameKind::Symbol &&
        !known.target.empty()) {
      editor_.replace(begin, end, known.target, FindingKind::Symbol);
    } else {
      // MUSA's libraries count their versions from 1, and come as shared ones.
      editor_.replace(begin, end, "lib" + std::string(row->becomes) + ".so", FindingKind::Symbol);
    }
    return true;
  }

  bool portHeader(std::size_t end, std::string_view file) {
    if (!file.ends_with(".h") && !file.ends_with(".hpp")) return false;
    if (editor_.project().owns(file, true)) return true;  // the project's own of that name
    const std::size_t slash = file.rfind('/');
    for (const std::string_view header :
         {file, slash == std::string_view::npos ? file : file.substr(slash + 1)}) {
      std::string scratch;
      const std::string_view becomes = editor_.options().lexicon->mapHeader(header, scratch);
      if (becomes.empty() || becomes == header) continue;
      if (editor_.project().owns(header, true)) return true;
      editor_.replace(end - header.size(), end, becomes, FindingKind::Header);
      return true;
    }
    return false;
  }

  /// A whole word between separators.
  bool isAlone(std::size_t at, std::size_t end) const {
    const auto separates = [](char c) {
      return std::string_view(" \t\r\n;\"'=,()[]>:").find(c) != std::string_view::npos;
    };
    return (at == begin_ || separates(text_[at - 1])) && (end >= end_ || separates(text_[end]));
  }

  /// Names of the API: functions and types as they are, macros only where they are given by -D.
  bool portKnown(std::size_t at, std::size_t end, bool defined) {
    const std::string_view word = text_.substr(at, end - at);
    if (!defined && (!hasSmallLetter(word) || word.size() < 6)) return false;
    KnownName known;
    if (!editor_.options().lexicon->find(word, known)) return false;
    if (known.kind != NameKind::Rename || known.target.empty() || known.target == word) return false;
    // Words such as cudart and nvcc are no functions.
    if (!defined && std::none_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
      return false;
    editor_.replace(at, end, known.target);
    return true;
  }

  BuildEditor& editor_;
  std::string_view text_;
  std::size_t begin_;
  std::size_t end_;
  const WordContext& context_;
  OptionPorter options_;
};

}  // namespace

void portWords(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context) {
  WordPorter(editor, begin, end, context).run();
}

void portComment(BuildEditor& editor, std::size_t begin, std::size_t end, bool cmake) {
  if (editor.options().comments == CommentPolicy::Keep) return;
  // Most are about something else.
  const std::string_view text = editor.text().substr(begin, end - begin);
  const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (!holds("CU") && !holds("cu") && !holds("CCL") && !holds("ccl") && !holds("NV") && !holds("nv")) return;
  WordContext context;
  context.comment = true;
  context.cmake = cmake;
  portWords(editor, begin, end, context);
}

bool namesLibraries(std::string_view variable) {
  std::string upper(variable);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const auto holds = [&](std::string_view part) { return upper.find(part) != std::string::npos; };
  const bool libraries = holds("LIB") || holds("LDADD") || holds("CUDART");
  return libraries && !holds("DIR") && !holds("PATH");
}

void portReferences(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context) {
  const std::string_view text = editor.text();
  for (std::size_t at = begin; at + 1 < end; ++at) {
    if (text[at] != '$' || (text[at + 1] != '{' && text[at + 1] != '(')) continue;
    std::size_t close = at + 2;
    while (close < end && isAsciiWordByte(text[close])) ++close;
    if (close < end && text[close] == (text[at + 1] == '{' ? '}' : ')'))
      portWords(editor, at + 2, close, context);
  }
}

}  // namespace musashim::translator
