// A source that comes by standard input or another stream: `mcc -x cu -`, `mcc -x cu /dev/null`.
#pragma once

#include <string>

#include "mcc/driver/options/options.h"
#include "process.h"

namespace musashim::mcc {

// Puts a file of `folder` with what the stream holds in the place of each that mcc compiles itself; includes
// are looked for in the working folder, as of a file there. Returns an exit status.
int readStandardInput(Options& options, const TemporaryFolder& folder);

}  // namespace musashim::mcc
