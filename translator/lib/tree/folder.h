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

  /// `path` ends with a slash; `parent`: of the folder that holds it, which is found faster from there, or
  /// null. The folder stays open, but for deep ones, which are no parents then. Throws PortError.
  FolderList(const std::string& path, const FolderList* parent);
  ~FolderList();
  FolderList(const FolderList&) = delete;
  FolderList& operator=(const FolderList&) = delete;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void open(const std::string& path, const FolderList* parent);
  void read(const std::string& path);
  void close();

  int fd_ = -1;

  std::string names_;
  std::vector<Entry> entries_;
};

}  // namespace musashim::translator
