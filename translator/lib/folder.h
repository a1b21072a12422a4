#pragma once

// What a folder of the disk holds.

#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

/// One folder's entries but for "." and "..", in the order in which a walk that goes into each folder as it
/// comes meets all paths sorted.
class FolderList {
 public:
  struct Entry {
    std::string_view name;
    unsigned char type;  // DT_REG, ...; never DT_UNKNOWN, unless it is something else altogether
  };

  /// `path` ends with a slash. Throws PortError.
  explicit FolderList(const std::string& path);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void read(const std::string& path);

  std::string names_;
  std::vector<Entry> entries_;
};

}  // namespace musashim::translator
