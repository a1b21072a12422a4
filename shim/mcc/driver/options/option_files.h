// Arguments that stand in files: @file as clang has it, --options-file as nvcc has it.
#pragma once

#include <string>
#include <vector>

namespace musashim::mcc {

// Appends to `expanded` the arguments with those that their files hold, and those files' files, in the
// files' places. A @file that cannot be read is an argument like others, as for clang. On an options file
// that cannot be read, and on files that name each other in a circle, returns false and sets `error`.
bool expandOptionFiles(const std::vector<std::string>& arguments, std::vector<std::string>& expanded,
                       std::string& error);

}  // namespace musashim::mcc
