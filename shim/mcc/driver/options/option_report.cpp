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

}  // namespace

void reportNvccOptions(const Options& options) {
  Notes notes = notesFor(options);
  if (notes.empty() || options.notesWanted == NotesWanted::kNone) return;
  const bool inBuild = options.notesWanted == NotesWanted::kOncePerBuild && keepNew(notes);
  if (notes.empty()) return;
  std::vector<std::string> texts;
  for (const OptionNote& note : notes) texts.push_back(note.text);
  const char* what =
      options.isCudaProject ? "options of nvcc" : "options of nvcc, which the vendor's mcc does not know";
  const char* rest =
      inBuild ? " (said once a build of each option; -Wmusa-nvcc-options has every command say it)" : "";
  reportWarning(llvm::Twine(what) + ": " + llvm::join(texts, ", ") + rest);
}

}  // namespace musashim::mcc
