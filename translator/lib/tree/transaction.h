#pragma once

// All or nothing for a set of files: each is written under a temporary name, and only commit() gives them
// their names. Without commit() the destructor leaves the disk as it was found. A folder that does not
// exist yet is written whole beside its place; in a folder that exists, each file is written beside its own.
// Staging may be done by several threads at once.

#include <sys/stat.h>
#include <sys/types.h>

#include <ctime>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "translator/lib/tree/pending_work.h"

namespace musashim::translator {

struct FileStamp {
  FileStamp(mode_t bits) : mode(bits) {}
  FileStamp(mode_t bits, std::timespec time) : mode(bits), modified(time) {}
  mode_t mode;                            // permission bits
  std::optional<std::timespec> modified;  // time of the last change; now if there is none
};

class Transaction {
 public:
  using Sink = std::function<void(std::string_view)>;

  Transaction() = default;
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// Says that everything staged from now on lies below `root`, which is absent or empty. Throws PortError.
  void createWhole(const std::filesystem::path& root);

  /// Says that files below `folder`, which is there, will change: a kill then leaves what the next run
  /// finishes (PendingWork).
  void changeWithin(const std::filesystem::path& folder) { workFolder_ = folder; }

  /// Stages a file; `produce` is called once and hands its bytes to the sink. Creates missing folders.
  /// The same path may be written again, which replaces it. Throws PortError.
  void write(const std::filesystem::path& path, const FileStamp& stamp,
             const std::function<void(const Sink&)>& produce);
  /// Stages a copy of a file with its permission bits and time, made by the kernel where it can. Returns the
  /// source's.
  struct stat copy(const std::filesystem::path& path, const std::filesystem::path& source);
  /// Stages a symbolic link.
  void link(const std::filesystem::path& path, const std::filesystem::path& target);
  /// Stages an empty folder.
  void folder(const std::filesystem::path& path);
  /// Takes back what write() staged for this path, if it did.
  void forget(const std::filesystem::path& path);
  /// Stages the removal of a file that another one replaces. It may be asked for again.
  void remove(const std::filesystem::path& path);

  /// Puts everything in place: renames, which need no space, then removals. Throws PortError, and then
  /// everything is as it was found.
  void commit();

 private:
  std::filesystem::path place(const std::filesystem::path& path);
  void createFolders(const std::filesystem::path& path);

  std::filesystem::path root_;   // of a folder written whole
  std::filesystem::path stage_;  // where it is until commit()
  std::mutex mutex_;
  std::unordered_map<std::string, std::filesystem::path> staged_;  // place -> temporary
  std::set<std::filesystem::path> removals_;
  std::vector<std::filesystem::path> createdFolders_;
  std::unordered_set<std::string> knownFolders_;
  unsigned counter_ = 0;
  std::filesystem::path workFolder_;  // of pending_; empty if nothing is written down
  PendingWork pending_;
};

}  // namespace musashim::translator
