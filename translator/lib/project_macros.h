#pragma once

// The macros of a project that other files' text may depend on: those that join words, and those that stand
// for text in inline assembly. Few of them are ever asked for, so a file is split into tokens for its macros
// only when one of its names is.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translator/lib/match/pasting.h"
#include "translator/lib/ptx/text_macros.h"

namespace musashim::translator {

/// Those that one file defines.
struct FileMacros {
  std::vector<PastingDefine> pasting;
  std::vector<TextMacro> texts;
};

FileMacros macrosOf(std::string_view text);

/// Hashes of the names of macros that a file may define; the same twice if it does so twice.
using MacroNames = std::vector<std::uint32_t>;
/// Of all that macrosOf() would find and of some more, as the bytes tell, without tokens. None for most
/// headers, which define numbers and guards.
MacroNames macroNamesOf(std::string_view text);

/// Adds those of files, in their order, to maps that are empty; by so many threads.
void add(const std::vector<FileMacros>& files, unsigned threads, PastingMacros& pasting, TextMacros& texts);

/// Those of all files of a project. Asked by any number of threads at once.
class ProjectMacros {
 public:
  using Read = std::function<FileMacros(std::size_t file)>;

  /// `names`: those of each file, which may be given away then. `read`: finds what a file has; called by any
  /// thread, once for a file.
  ProjectMacros(const std::vector<const MacroNames*>& names, unsigned threads, Read read);
  ~ProjectMacros();

  /// What all definitions of the macro do with its parameters; null: there is none that joins something.
  const std::vector<PastedParameter>* pasting(std::string_view name) const;
  /// All that differ; null: there is none.
  const std::vector<TextPieces>* texts(std::string_view name) const;

  /// All there are.
  std::pair<PastingMacros, TextMacros> all(unsigned threads) const;
  /// Is there no name of any?
  bool empty() const;

 private:
  struct Part;
  struct Macro;
  struct File;

  const Macro& macro(std::string_view name) const;
  const FileMacros& macrosIn(std::size_t file) const;
  std::vector<std::size_t> filesWith(std::uint32_t hash) const;

  std::vector<Part> parts_;  // each of some files that follow each other
  std::size_t files_;
  Read read_;
  mutable std::mutex mutex_;  // guards the maps, not what is in them
  mutable std::map<std::string, std::unique_ptr<Macro>, std::less<>> known_;
  mutable std::map<std::size_t, std::unique_ptr<File>> lookedAt_;
};

}  // namespace musashim::translator
