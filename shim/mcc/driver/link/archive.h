// nvcc's -lib: the objects of a command become a library.
#pragma once

#include <map>
#include <string>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"

namespace musashim::mcc {

// Adds the objects among the inputs, and `objects`, which maps Input::argument to what an input became, to
// the library that -o names (a.a). Returns an exit status.
int writeLibrary(const Options& options, const StepRunner& runner,
                 const std::map<size_t, std::string>& objects);

}  // namespace musashim::mcc
