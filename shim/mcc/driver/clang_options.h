// What clang's own option table says of a command line: inputs, the phase to end with.
#pragma once

#include <string>

#include "options.h"

namespace musashim::mcc {

// Finds the inputs among `options.clangArguments` and sets what they and the other arguments decide; takes
// out what clang does not know (`-x musa`). `languageIsMusa`: what an option before said of all inputs.
// On a mistake returns false and sets `error`.
bool readClangArguments(Options& options, bool languageIsMusa, std::string& error);

}  // namespace musashim::mcc
