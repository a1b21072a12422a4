// What of a step of the compiler's the prelude depends on, which is the same for the sources of a project.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace musashim::mcc {

// -D or -U.
struct MacroOption {
  std::string name;    // of the macro
  std::string option;  // the whole

  bool operator==(const MacroOption&) const = default;
};

struct PreludeStep {
  size_t include = 0;                      // where the step says -include and the prelude
  std::vector<std::string> options;        // the program and its options, without those of one source
  std::vector<MacroOption> macros;         // all of them in their order, which are not among `options`
  std::vector<std::string> userFolders;    // searched for headers before the others
  std::vector<std::string> systemFolders;  // the SDK's first
  std::string source;
  std::string replacements;  // the file of -ivfsoverlay, of a CUDA source: what is read in place of its files
};

// Of a step that compiles a source behind the prelude. Nothing of other steps, nor where something comes
// before the prelude or replaces files. `temporary`: the folder of this mcc, whose own replacements do not
// count.
std::optional<PreludeStep> preludeStep(const std::vector<std::string>& command, const std::string& prelude,
                                       const std::string& temporary);

}  // namespace musashim::mcc
