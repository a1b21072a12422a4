// Hands everything that is not MUSA source to clang's driver: other languages,
// objects, libraries and the link.
#pragma once

#include <map>
#include <string>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// Runs clang on the user's command line with each MUSA input replaced by its object.
// `objects` maps Input::argument to the object's path. `linkObject`: of the device link, or empty.
int runClangDriver(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const std::map<size_t, std::string>& objects, const std::string& linkObject);

}  // namespace musashim::mcc
