#include "option_report.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mcc/driver/build_session.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

using Notes = std::vector<OptionNote>;

// The vendor's compiler refuses nvcc's options, so a build file that is to work there must change. Sources
// that are CUDA's have them by right, but not those that ask for what does not happen.
Notes notesFor(const Options& options) {
  Notes notes = options.nvccNotes;
  if (options.isCudaProject && options.notesWanted == NotesWanted::kOncePerBuild)
    llvm::erase_if(notes, [](const OptionNote& note) { return !note.isLost; });
  return notes;
}

// Keeps those of options that no command of this build has told of. True if there is a build.
bool keepNew(Notes& notes) {
  std::set<std::string> names;
  for (const OptionNote& note : notes) names.insert(note.option);
  const std::optional<std::set<std::string>> fresh = firstInBuild(names);
  if (!fresh) return false;
  llvm::erase_if(notes, [&](const OptionNote& note) { return fresh->count(note.option) == 0; });
  return true;
}

// Not in the words by which CMake knows that a compiler refuses a flag (CheckCompilerFlag).
std::string reportOf(const Notes& notes, bool isCudaProject, bool saysOnce) {
  std::vector<std::string> texts;
  for (const OptionNote& note : notes) texts.push_back(note.text);
  const char* what = isCudaProject ? "of nvcc's command line"
                                   : "of nvcc's command line, which the vendor's mcc does not have";
  const char* rest =
      saysOnce ? " (said of each once a build; -Wmusa-nvcc-options has every command say it)" : "";
  return std::string(what) + ": " + llvm::join(texts, ", ") + rest;
}

}  // namespace

std::string optionReport(const Options& options, bool saysOnce) {
  return reportOf(options.nvccNotes, options.isCudaProject, saysOnce);
}

void reportNvccOptions(const Options& options) {
  Notes notes = notesFor(options);
  if (notes.empty() || options.notesWanted == NotesWanted::kNone) return;
  const bool inBuild = options.notesWanted == NotesWanted::kOncePerBuild && keepNew(notes);
  if (!notes.empty()) reportWarning(reportOf(notes, options.isCudaProject, inBuild));
}

}  // namespace musashim::mcc
