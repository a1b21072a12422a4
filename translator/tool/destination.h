#pragma once

// Where the files of a run go: a folder, one file, or the place of what was ported. Nothing is there before
// commit(); then all is.

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/merge/bases.h"
#include "translator/lib/merge/update.h"
#include "translator/lib/names/lexicon.h"
#include "translator/lib/tree/project.h"
#include "translator/lib/tree/transaction.h"
#include "translator/tool/arguments.h"

namespace musashim::translator {

/// One source, ported.
struct PortedText {
  const ProjectFile& file;
  std::filesystem::path name;  // below the output
  std::string_view original;
  std::string_view text;
  const struct stat& status;  // of the source
};

/// Takes files from several threads at once. What cannot be written throws PortError.
class Destination {
 public:
  explicit Destination(const Arguments& arguments) : arguments_(arguments) {}

  /// Throws PortError if the output must not be written to.
  void choose();
  /// The output as an absolute path; empty if there is none.
  const std::filesystem::path& output() const { return output_; }
  /// Is anything written at all?
  bool writes() const { return arguments_.mode != Mode::Diff && arguments_.mode != Mode::DryRun; }

  /// Makes the folders that no file makes.
  void begin(const Project& project);
  /// What is no source goes to an output as it is.
  void copy(const ProjectFile& file);
  void link(const ProjectFile& file, Direction direction);
  /// Writes the ported text to where the mode wants it. What was put before for the file is forgotten.
  void put(const PortedText& ported);

  /// The file's port is the one that is there from the last time. False if nothing is known of that.
  bool keep(const ProjectFile& file);

  /// Is there one place for the record of all files?
  bool takesRecord() const;
  void putRecord(std::string_view text);
  /// With --update: a file of the state.
  void own(const std::filesystem::path& path, std::string_view text) { update_->own(path, text); }

  /// Puts all in place. Returns a line for each conflict of --update.
  std::vector<std::string> commit();

 private:
  void settle();
  bool keepsFirst() const;
  std::filesystem::path placeOf(const ProjectFile& file) const;
  void replace(const PortedText& ported);
  std::filesystem::path backupOf(const ProjectFile& file) const;
  void backup(const PortedText& ported);
  void write(const std::filesystem::path& path, const FileStamp& stamp, std::string_view bytes);

  const Arguments& arguments_;
  std::filesystem::path output_;
  std::filesystem::path workFolder_;  // where a change of what is there is written down
  bool single_ = false;               // the output is one file
  Transaction transaction_;
  std::optional<Update> update_;
  FirstPort first_;
  std::map<const ProjectFile*, std::string> shown_;  // in the project's order
  std::mutex shownMutex_;
  std::mutex firstMutex_;
};

}  // namespace musashim::translator
