// The build that this command belongs to: the outermost make, ninja, cmake ... among the processes that
// started it. Its commands share a file, so that what holds for all of them is said once. Commands know
// nothing else of each other: not every build ends in a link by mcc, and those that do may link before all is
// compiled.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace musashim::mcc {

// Those of `names` that no command of this build has asked for before. Nothing when there is no build, or no
// place for its file.
std::optional<std::set<std::string>> firstInBuild(const std::set<std::string>& names);

// The file of that build in `folder`, empty when there is none. `process`: whose ancestors are looked at.
std::string buildFile(const std::string& folder, int process);

}  // namespace musashim::mcc
