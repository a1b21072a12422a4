#pragma once

// Files of a project as a walk comes upon them; several lists of them become one.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/tree/project.h"

namespace musashim::translator {

/// One input folder.
struct InputFolder {
  const CollectOptions& options;
  std::string output;
  std::string root;      // with a slash at the end
  std::size_t relative;  // where the relative path begins in a path

  bool takes(const std::string& path, std::string_view name) const;
  bool goesInto(const std::string& path, std::string_view name) const;
};

class FoundFiles {
 public:
  explicit FoundFiles(const CollectOptions& options) : options_(options) {}

  void addFile(std::string_view source, std::string_view relative);
  /// What is in a folder, but for the folders in it: entries `from` to `to`.
  void addEntries(const struct Folder& folder, std::size_t from, std::size_t to, const InputFolder& input);
  std::string_view store(std::string_view text);

  std::vector<ProjectFile> files;
  std::vector<std::size_t> doubtful;  // of those: their names do not tell what they are
  std::vector<std::string> skipped;   // that are no files
  /// Where the files' texts are.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> texts =
      std::make_unique<std::pmr::monotonic_buffer_resource>(std::size_t{1} << 16);

 private:
  void addLink(const std::string& path, const InputFolder& input);
  std::string_view storePorted(std::string_view relative);

  const CollectOptions& options_;
};

/// Those of a folder and of those below it, in the order in which paths are sorted; by so many threads.
std::vector<FoundFiles> filesIn(const struct Folder& root, const InputFolder& input, unsigned threads);
/// Those without a file, below the input.
std::vector<std::filesystem::path> emptyFoldersIn(const struct Folder& root, const InputFolder& input);

}  // namespace musashim::translator
