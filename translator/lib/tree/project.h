#pragma once

// The files of one run: which are ported, which are copied, and where each goes.

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/match/match.h"
#include "translator/lib/names/lexicon.h"
#include "translator/lib/tree/file_index.h"
#include "translator/lib/tree/file_kind.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {

/// The texts live as long as the project, and a zero follows each.
struct ProjectFile {
  std::string_view source;    // absolute
  std::string_view relative;  // path below the output, with the old name
  std::string_view target;    // the same with the new name: .cu -> .mu, .cuh -> .muh
  FileKind kind;
};

/// What collect() was asked for.
struct CollectOptions {
  std::vector<std::string> excludes;  // globs on the relative path or on any name in it
  std::filesystem::path output;       // not walked into; empty if there is none
  const Lexicon* lexicon = &Lexicon::standard();
  bool keepNames = false;  // of sources: .cu stays .cu
  bool asGiven = false;    // files are known by the paths that were given, so that two may have the same name
  unsigned threads = 1;    // that look
};

class Project {
 public:
  Project(Project&&) noexcept;
  ~Project();

  /// Walks the inputs. A folder's content goes directly below the output if it is the only input, else
  /// below a folder of its name. Version control folders are left out. Throws PortError: a missing or
  /// unreadable input, or two files that would become one.
  static Project collect(const std::vector<std::filesystem::path>& inputs, const CollectOptions& options);

  const std::vector<ProjectFile>& files() const { return files_; }
  /// The input, if it is one folder; else null.
  const NearFolder* root() const { return root_.get(); }
  /// Folders without a file, below the output.
  const std::vector<std::filesystem::path>& emptyFolders() const { return emptyFolders_; }
  /// Links that lead out of their input folder, and files that are no files: left out.
  const std::vector<std::string>& skipped() const { return skipped_; }

  /// Folders that -I must have named, as the includes asked about so far tell.
  std::vector<std::string> includeFolders() const;

  /// What the includes of `file` mean. May be asked by several threads at once.
  /// The project's file, if it is among the inputs.
  const ProjectFile* resolve(const ProjectFile& file, std::string_view header) const;
  /// Is a file there that was not given as an input?
  bool hasBeside(const ProjectFile& file, std::string_view header) const;
  std::string renamed(const ProjectFile& target, std::string_view header) const;
  /// Is it the name of a header of CUDA's? In <> it means that one, whatever lies beside the file.
  bool isToolkits(std::string_view header) const;

 private:
  Project();
  /// What grows from nothing touches as much again.
  static std::vector<ProjectFile> roomForFiles() {
    std::vector<ProjectFile> files;
    files.reserve(1 << 12);
    return files;
  }
  void take(class FoundFiles found);
  void lookIntoDoubtful(unsigned threads);
  void index(unsigned threads);
  void checkTargets() const;
  const ProjectFile* resolveTemplate(const ProjectFile& file, std::string_view header) const;
  const ProjectFile* resolveByEnd(std::string_view header) const;
  const ProjectFile* findByEnd(std::string_view header) const;

  const Lexicon* lexicon_ = &Lexicon::standard();
  std::vector<std::unique_ptr<std::pmr::monotonic_buffer_resource>> texts_;
  std::vector<std::unique_ptr<const struct Folder>> trees_;  // kept: to give them back takes time
  std::vector<ProjectFile> files_ = roomForFiles();          // by `relative`
  std::vector<std::size_t> doubtful_;  // of those: their names do not tell what they are
  std::unique_ptr<const NearFolder> root_;
  bool keepNames_ = false;
  bool complete_ = true;  // every file of the folders is here, so what is not here does not exist
  std::vector<std::filesystem::path> emptyFolders_;
  std::vector<std::string> skipped_;
  FileIndex index_;
  mutable std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::set<std::string> includeFolders_;
  std::unique_ptr<HeaderCache> byEnd_ = std::make_unique<HeaderCache>();  // what findByEnd() found
};

/// A project as seen from one of its files.
class FileView final : public ProjectView {
 public:
  FileView(const Project& project, const ProjectFile& file) : project_(project), file_(file) {}
  bool owns(std::string_view header, bool quoted) const override {
    if (!quoted && header.find('/') == std::string_view::npos && project_.isToolkits(header)) return false;
    return resolve(header) || project_.hasBeside(file_, header);
  }
  std::string renamed(std::string_view header) const override {
    const ProjectFile* target = resolve(header);
    return target ? project_.renamed(*target, header) : std::string();
  }

 private:
  /// Both are asked about the same include, one after the other.
  const ProjectFile* resolve(std::string_view header) const {
    if (header.data() != last_.data() || header != last_) {
      lastFile_ = project_.resolve(file_, header);
      last_ = header;
    }
    return lastFile_;
  }

  const Project& project_;
  const ProjectFile& file_;
  mutable std::string_view last_;  // of the source's text, or the like
  mutable const ProjectFile* lastFile_ = nullptr;
};

}  // namespace musashim::translator
