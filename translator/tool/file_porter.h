#pragma once

// What becomes of one file: ported, undone, copied or linked, and told about.

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "translator/lib/build/build.h"
#include "translator/lib/options.h"
#include "translator/lib/project_macros.h"
#include "translator/lib/report/report.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/project.h"
#include "translator/lib/tree/record.h"
#include "translator/tool/arguments.h"
#include "translator/tool/destination.h"
#include "translator/tool/history.h"
#include "translator/tool/semantic.h"

namespace musashim::translator {

/// Of a file that clang is asked about.
struct Meaning {
  SemanticInput input;
  std::set<std::uint32_t> ownPlaces;  // names there are the project's
};

/// What became of one file.
struct Outcome {
  FileReport report;
  std::vector<Definition> definitions;
  std::uint64_t names = 0;
  bool wantsMacros = false;
  bool wantedMacros = false;         // before they were known
  std::optional<MacroNames> macros;  // that a source may define, if they were looked for while it was read
  std::size_t ownFindings = 0;       // of the file alone; the others come of other files
  std::uint64_t sourceHash = 0;      // for --update; 0 if it is not kept
  bool seen = false;                 // ported before, and not again
  std::unique_ptr<RecordedFile> recorded;
  std::string diff;
  std::unique_ptr<Meaning> meaning;
};

/// Ports one file after the other, by any thread.
class FilePorter {
 public:
  /// `options`: what is known of the project by then, which is more the second time.
  FilePorter(const Arguments& arguments, const PortOptions& options, const History& history,
             Destination& destination)
      : arguments_(arguments), options_(options), history_(history), destination_(destination) {}

  /// A file that was read already, which is not read again.
  void keep(const ProjectFile& file, std::string text, const struct stat& status) {
    read_.try_emplace(&file, ReadText{std::move(text), status});
  }
  /// What build files define, before any is ported.
  void setFacts(BuildFacts facts) { facts_ = std::move(facts); }
  /// What the last update has seen; null: nothing is asked or kept.
  void setSeen(const class Seen* seen) { seen_ = seen; }
  /// Takes over what became of a source that is as it was then. False if it is to be ported.
  bool recall(const Project& project, const ProjectFile& file, Outcome& outcome);
  /// Does to a file what is done to its kind.
  void handle(const Project& project, const ProjectFile& file, Outcome& outcome);
  /// Ports a source, again if there is more to know about it than before.
  void port(const Project& project, const ProjectFile& file, Outcome& outcome);

 private:
  bool restore(const ProjectFile& file, std::string_view text, const struct stat& status, Outcome& outcome);

  const Arguments& arguments_;
  const PortOptions& options_;
  const History& history_;
  Destination& destination_;
  struct ReadText {
    std::string text;
    struct stat status;
  };
  /// The bytes of a file, in `buffer` if they are not kept. `status`: if wanted.
  std::string_view textOf(const Project& project, const ProjectFile& file, FileBuffer& buffer,
                          struct stat* status) const;

  BuildFacts facts_;
  std::unordered_map<const ProjectFile*, ReadText> read_;
  const Seen* seen_ = nullptr;
  std::atomic<bool> macrosAreWanted_{false};  // by some source
};

}  // namespace musashim::translator
