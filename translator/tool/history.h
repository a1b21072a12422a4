#pragma once

// The records of earlier ports that lie among the inputs, and what this run adds to them.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "translator/lib/tree/project.h"
#include "translator/lib/tree/record.h"

namespace musashim::translator {

/// A file as it was before it was ported.
struct UndonePort {
  std::string text;
  std::filesystem::path name;  // below the root
  std::size_t edits = 0;       // that were undone
};

class History {
 public:
  /// Reads the records among the project's files. Throws PortError if one is damaged.
  void read(const Project& project);

  /// Undoes the recorded ports of a file, newest first; nothing if it was never ported, or changed since.
  /// By any thread.
  std::optional<UndonePort> undo(const ProjectFile& file, std::string_view text) const;

  void add(const ProjectFile& file, RecordedFile port);
  bool empty() const { return records_.files.empty(); }
  bool changed() const { return changed_; }
  /// Bytes of one record for all.
  std::string text() const { return records_.text(); }

 private:
  Record records_;
  bool changed_ = false;
};

}  // namespace musashim::translator
