// Clang and its linker without starting them: mcc has their libraries, and a program of that size takes 25 to
// 35 ms of a processor until its main begins, which a small source would pay for six times.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace musashim::mcc {

// Does what `command` (program first) does, if it is a compilation by clang or a link by LLVM's linker, and
// returns its exit status. Empty where it is not, or has options for which clang's own program is needed: the
// command is to be started then. For a process of its own, which ends with that status: libraries keep what
// they were told, and a link ends the process itself.
std::optional<int> runBuiltInTool(const std::vector<std::string>& command);

}  // namespace musashim::mcc
