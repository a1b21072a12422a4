#pragma once

// What was ported last: the base of a merge. An update keeps it in a folder of files. A port without one has
// written no more than it had to: a single file, with the texts that it made, and of files that it copied
// when they were changed last, by which one that was not edited is told.

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

/// When and how large a file was.
struct FileTime {
  long long seconds = 0;
  long long nanoseconds = 0;
  long long size = 0;
  bool operator==(const FileTime&) const = default;
};
FileTime timeOf(const struct stat& status);

inline constexpr std::string_view kFirstPortName = "first-port";

/// What a first port leaves for the updates that follow.
class FirstPort {
 public:
  void ported(const std::string& path, std::string_view text) { texts_.insert_or_assign(path, text); }
  void copied(const std::string& path, const struct stat& source) {
    times_.insert_or_assign(path, timeOf(source));
  }
  bool empty() const { return texts_.empty() && times_.empty(); }
  /// Bytes of the file.
  std::string text() const;
  /// False if it is none, or damaged.
  bool parse(std::string_view bytes);

  const std::map<std::string, std::string>& texts() const { return texts_; }
  const std::map<std::string, FileTime>& times() const { return times_; }

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, FileTime> times_;
};

class Bases {
 public:
  /// Of the tree at `root`, with its state folder.
  Bases(std::filesystem::path root, std::filesystem::path state);

  std::filesystem::path folder() const { return state_ / "base"; }
  std::filesystem::path firstPort() const { return state_ / kFirstPortName; }
  bool hasFirstPort() const { return !first_.empty(); }

  /// What was ported to `path`. `offered`: what would be now, from a source that is as `source` says.
  std::optional<std::string> at(const std::string& path, std::string_view offered,
                                const FileTime& source) const;
  /// Is it kept in the folder?
  bool isFile(const std::string& path) const;
  /// Of all that was ported.
  std::vector<std::string> paths() const;

 private:
  std::filesystem::path root_;
  std::filesystem::path state_;
  FirstPort first_;
};

}  // namespace musashim::translator
