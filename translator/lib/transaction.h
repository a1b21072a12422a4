#pragma once

// All or nothing for a set of files: each is written under a temporary name beside its place, and only
// commit() gives them their names. Without commit() the destructor leaves the disk as it was found.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace musashim::translator {

class Transaction {
 public:
  using Sink = std::function<void(std::string_view)>;

  Transaction() = default;
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// Stages a file with these permission bits; `produce` is called once and hands its bytes to the sink.
  /// Creates missing folders. Throws PortError.
  void write(const std::filesystem::path& path, mode_t mode, const std::function<void(const Sink&)>& produce);
  /// Stages a symbolic link.
  void link(const std::filesystem::path& path, const std::filesystem::path& target);
  /// Stages an empty folder.
  void folder(const std::filesystem::path& path) { createFolders(path); }
  /// Stages the removal of a file that another one replaces.
  void remove(const std::filesystem::path& path) { removals_.push_back(path); }

  /// Puts everything in place: renames, which need no space, then removals. Throws PortError.
  void commit();

 private:
  struct Staged {
    std::filesystem::path temporary;
    std::filesystem::path final;
  };

  std::filesystem::path temporaryBeside(const std::filesystem::path& path);
  void createFolders(const std::filesystem::path& path);

  std::vector<Staged> staged_;
  std::vector<std::filesystem::path> removals_;
  std::vector<std::filesystem::path> createdFolders_;
  unsigned counter_ = 0;
};

}  // namespace musashim::translator
