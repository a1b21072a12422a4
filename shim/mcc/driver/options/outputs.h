// Where results go that have no name of the user's.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace musashim::mcc {

// In the working folder; "-" where the phase prints, empty where it writes nothing or one file for all.
std::string defaultOutput(const Options& options, const Input& input);

// The same of -dlink.
std::string deviceLinkOutput(const Options& options);

// nvcc's -clean: removes what the command would write. Returns an exit status.
int removeOutputs(const Options& options);

// With -odir, the same work as commands that each have an -o; else `options` alone.
std::vector<Options> withOutputFolder(const Options& options);

}  // namespace musashim::mcc
