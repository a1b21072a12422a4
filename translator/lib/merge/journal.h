#pragma once

// A set of files written all or not at all, whenever the machine stops: each is written and synced in the
// state folder, then the list of them gets its name, then each gets its own. Who finds a list finishes its
// work.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace musashim::translator {

class Journal {
 public:
  /// `state`: a folder at the root of the files, on their file system; made if it is not there. Finishes or
  /// drops what an interrupted run left. Throws PortError.
  explicit Journal(std::filesystem::path state);

  void write(const std::filesystem::path& path, mode_t mode, std::string_view bytes);
  void remove(const std::filesystem::path& path);
  void commit();

 private:
  void apply();
  std::string belowRoot(const std::filesystem::path& path) const;
  std::filesystem::path list() const { return state_ / "journal"; }
  std::filesystem::path stage() const { return state_ / "staged"; }

  std::filesystem::path state_;
  std::string entries_;  // of each: number of its staged file, or none for a removal; its path; zeros between
  std::size_t count_ = 0;
};

}  // namespace musashim::translator
