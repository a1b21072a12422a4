#pragma once

// Modules by their dotted paths: rows about them, and which are the project's own.

#include <map>
#include <string>
#include <string_view>

#include "translator/lib/build/build_table.h"
#include "translator/lib/match/match.h"

namespace musashim::translator {

/// The module that a name is in: torch.cuda of torch.cuda.Stream; empty for a name without a point.
std::string_view parentOf(std::string_view path);

/// The row whose name is `path` or a module above it.
const BuildRow* rowAbove(BuildTable table, std::string_view path);

class PythonPackages {
 public:
  explicit PythonPackages(const ProjectView& project) : project_(project) {}

  /// Is it in a package of the project's own, as apex is in its own repository?
  bool isProjects(std::string_view path);
  /// The row of a package for NVIDIA's devices that is none of the project's; null if it is none.
  const BuildRow* foreign(std::string_view path);

 private:
  const ProjectView& project_;
  std::map<std::string, bool> known_;  // by the file that makes a folder a package
};

}  // namespace musashim::translator
