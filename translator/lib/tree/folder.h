#pragma once

// What a folder of the disk holds.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/tree/files.h"

namespace musashim::translator {

/// One folder's entries but for "." and "..", in the order in which a walk that goes into each folder as it
/// comes meets all paths sorted.
class FolderList {
 public:
  struct Entry {
    std::string_view name;
    unsigned char type;  // DT_REG, ...; never DT_UNKNOWN, unless it is something else altogether
  };

  /// `path` ends with a slash. `near`: as of ReadHandle. Throws PortError.
  FolderList(const std::string& path, const NearFolder& near);
  FolderList(const FolderList&) = delete;
  FolderList& operator=(const FolderList&) = delete;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void read(const std::string& path, const NearFolder& near);

  std::string names_;
  std::vector<Entry> entries_;
};

/// A folder with those below it.
struct Folder {
  std::string path;  // with a slash at the end
  std::unique_ptr<const FolderList> list;
  std::vector<std::unique_ptr<Folder>> below;  // for each entry that is a folder; null: not gone into
};

/// Lists a folder and those below it for which `goesInto`, a path without the slash and its last part, is
/// true; by so many threads. Throws PortError.
using GoesInto = std::function<bool(const std::string& path, std::string_view name)>;
Folder listFolders(const std::string& path, const NearFolder& near, unsigned threads,
                   const GoesInto& goesInto);

}  // namespace musashim::translator
