#pragma once

// The port of what is no source: build files by their language, scripts, Dockerfiles, Python.

#include <set>
#include <string>
#include <string_view>

#include "translator/lib/match/match.h"

namespace musashim::translator {

/// What the build files of a project must know of each other.
struct BuildFacts {
  std::set<std::string, std::less<>>
      targets;         // of CMake: names that look like libraries' may be the project's own
  bool torch = false;  // a Python source imports it, so those that are handed tensors need not
};

/// Adds what the file defines.
void collectBuildFacts(std::string_view path, std::string_view text, BuildFacts& facts);

/// The edits of a file of that dialect. Nothing is found in most files, which costs little.
Match findBuildEdits(std::string_view path, std::string_view text, const PortOptions& options,
                     const ProjectView& project, const BuildFacts& facts);

}  // namespace musashim::translator
