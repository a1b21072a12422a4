#pragma once

// The semantic pass: the ported project to clang, its answers back to places in the original.

#include <set>
#include <string>
#include <vector>

#include "translator/lib/tree/project.h"
#include "translator/lib/tree/record.h"
#include "translator/semantic/interface.h"
#include "translator/tool/arguments.h"

namespace musashim::translator {

/// One source as the lexical pass left it.
struct SemanticInput {
  const ProjectFile* file;
  std::string original;
  std::string ported;
  std::vector<RecordedEdit> edits;
};

struct SemanticOutcome {
  std::vector<std::vector<Finding>> findings;  // of each input, places in the original
  std::set<std::string> ownNames;              // known names that mean the project's wherever clang looked
  std::vector<std::set<std::uint32_t>>
      ownPlaces;  // of each input: other places that mean the project's, in the original
  std::size_t understood = 0, inPart = 0, notUnderstood = 0;  // compilations
  std::vector<std::string> remarks;  // what was missing and what was not understood, a line each
};

/// Throws PortError if clang's module or the SDK is not there.
SemanticOutcome runSemantic(const Arguments& arguments, const PortOptions& options, const Project& project,
                            const std::vector<SemanticInput>& inputs, unsigned threads);

/// Architectures that the command line chose.
std::vector<const Target*> chosenTargets(const Arguments& arguments);

}  // namespace musashim::translator
