#pragma once

// What the compiler needs of a project that is no part of the input: the headers around it, ported in memory.

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/options.h"

namespace musashim::translator {

class Surroundings {
 public:
  explicit Surroundings(const PortOptions& options);

  /// From here on, sources below the folder are ported when the compiler asks for them.
  void addFolder(const std::filesystem::path& folder);

  /// Looks for a header in the folders above `input`, in those beside and in their include folders, up to the
  /// root of the version control, or three folders up where there is none. True if it is there, or if it was
  /// found before.
  bool find(const std::filesystem::path& input, std::string_view header);

  /// Folders of found headers, as -I would name them, with the headers.
  const std::map<std::string, std::set<std::string, std::less<>>>& found() const { return found_; }
  /// Paths of found headers.
  const std::vector<std::filesystem::path>& headers() const { return headers_; }

  /// The ported text of a source in these folders; null if it is none, or has nothing to port. By any thread.
  std::shared_ptr<const std::string> ported(const std::string& path);

 private:
  using Text = std::shared_ptr<const std::string>;
  bool holds(const std::filesystem::path& path) const;
  bool look(const std::filesystem::path& folder, std::string_view header);
  Text port(const std::filesystem::path& path) const;

  PortOptions options_;
  std::vector<std::filesystem::path> folders_;
  std::map<std::string, std::set<std::string, std::less<>>> found_;
  std::vector<std::filesystem::path> headers_;
  std::mutex mutex_;
  std::map<std::string, Text> texts_;
};

/// Names of the files that a source includes.
std::vector<std::string> includesOf(std::string_view text);

}  // namespace musashim::translator
