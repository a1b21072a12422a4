#include "translator/lib/build/make.h"

#include <algorithm>

#include "translator/lib/build/shell.h"
#include "translator/lib/build/words.h"

namespace musashim::translator {
namespace {

bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// Is the variable, by its name, for the compiler of kernels?
bool namesCompiler(std::string_view variable) {
  for (const std::string_view part :
       {"NVCC", "CUDA", "NVCU", "CUFLAGS", "CU_FLAGS", "GENCODE", "NVFLAGS", "nvcc", "cuda", "gencode"}) {
    if (holds(variable, part)) return true;
  }
  return false;
}

bool runsCompiler(std::string_view line) {
  for (const std::string_view call :
       {"nvcc ", "$(NVCC", "${NVCC", "$(CUDA_CC", "$(CUCC", "$(NVCXX", "$(CUDACC", "$(CUDA_COMPILER"}) {
    if (holds(line, call)) return true;
  }
  return false;
}

class MakePorter {
 public:
  explicit MakePorter(BuildEditor& editor) : editor_(editor), text_(editor.text()) {}

  void run() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = lineEnd(at);
      line(at, end);
      at = end + 1;
    }
  }

 private:
  /// Of a line and those that continue it.
  std::size_t lineEnd(std::size_t at) const {
    for (;;) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::size_t last = end;
      if (last > at && text_[last - 1] == '\r') --last;
      if (last == at || text_[last - 1] != '\\' || end == text_.size()) return end;
      at = end + 1;
    }
  }

  /// Where the comment begins; `end` if there is none.
  std::size_t commentIn(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (text_[at] == '#' && (at == begin || text_[at - 1] != '\\')) return at;
    }
    return end;
  }

  void line(std::size_t begin, std::size_t end) {
    const std::string_view whole = text_.substr(begin, end - begin);
    if (text_[begin] == '\t' && begin < end) {
      WordContext context;
      context.compiler = runsCompiler(whole);
      return portCommands(editor_, begin + 1, end, context);
    }
    const std::size_t comment = commentIn(begin, end);
    portComment(editor_, comment, end, false);
    end = comment;
    // $(info ...), $(warning ...), $(error ...) speak to people.
    for (const std::string_view call : {"$(info", "$(warning", "$(error"}) {
      if (holds(text_.substr(begin, end - begin), call)) return portReferences(editor_, begin, end, {});
    }
    assignmentOrRule(begin, end);
  }

  void assignmentOrRule(std::size_t begin, std::size_t end) {
    const std::string_view line = text_.substr(begin, end - begin);
    WordContext context;
    const std::size_t sign = line.find('=');
    if (sign != std::string_view::npos) {
      std::string_view name = line.substr(0, line.find_last_not_of(" \t:?+!", sign == 0 ? 0 : sign - 1) + 1);
      if (const std::size_t blank = name.find_last_of(" \t:"); blank != std::string_view::npos)
        name.remove_prefix(blank + 1);
      context.compiler = namesCompiler(name) || runsCompiler(line);
      context.libraries = namesLibraries(name);
    }
    portWords(editor_, begin, end, context);
    if (context.compiler && holds(line, "--version") && holds(line, "release"))
      editor_.note(
          begin, begin + std::min(line.find(' '), line.size()),
          "it is read from what 'nvcc --version' prints; mcc prints another text, so it will be empty",
          "set it by hand to what the build is to do for MUSA");
  }

  BuildEditor& editor_;
  std::string_view text_;
};

}  // namespace

void portMake(BuildEditor& editor) { MakePorter(editor).run(); }

}  // namespace musashim::translator
