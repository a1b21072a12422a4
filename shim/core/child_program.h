// Programs that a library of ours starts.
#pragma once

#include <string>
#include <vector>

namespace musashim::core {

// Runs a program by its path, without input, to its end; what it prints goes to the file `output`. An errno,
// or 0 when it ran. A process that ignores SIGCHLD gets no statuses, so what the program was to make tells
// how it went.
int runProgram(const std::vector<std::string>& command, const std::string& output);

}  // namespace musashim::core
