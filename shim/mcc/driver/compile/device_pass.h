// Runs the pass that makes device code.
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/process.h"

namespace musashim::mcc {

// Returns the exit status. A crash there costs speed, not the build: it is reported, and `command` is run again
// without the block compiler, so that threads have stacks of their own. `what`: the source, for the message.
int runDevicePass(const StepRunner& runner, std::vector<std::string> command, const std::string& what);

}  // namespace musashim::mcc
