#pragma once

// Finds the files of a project, by any number of threads at once.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

struct ProjectFile;

/// Numbers of files by their paths, and by the last part of these.
class FileIndex {
 public:
  /// `files` stay where they are.
  void build(const std::vector<ProjectFile>& files, unsigned threads);
  /// The file of that path, or null.
  const ProjectFile* withPath(std::string_view path) const;
  bool hasName(std::string_view name) const;
  /// The last file whose path ends in a slash and `end`, or null.
  const ProjectFile* withEnd(std::string_view end) const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Entry {
    std::uint32_t nameHash, pathHash;
    std::uint32_t beforeByName, beforeByPath;  // with the same slot
  };
  std::uint32_t nextOfName(std::string_view name, std::uint32_t hash, std::uint32_t from) const;

  const ProjectFile* files_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> lastByName_, lastByPath_;  // of each slot
};

/// Which file each header was found to be, null included. Nothing is ever taken out.
class HeaderCache {
 public:
  HeaderCache() : heads_(kSlots) {}
  ~HeaderCache();
  HeaderCache(const HeaderCache&) = delete;
  HeaderCache& operator=(const HeaderCache&) = delete;

  std::optional<const ProjectFile*> find(std::string_view header) const;
  void add(std::string_view header, const ProjectFile* file);

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 14;
  struct Entry {
    std::string header;
    const ProjectFile* file;
    Entry* next;
  };
  std::vector<std::atomic<Entry*>> heads_;
};

}  // namespace musashim::translator
