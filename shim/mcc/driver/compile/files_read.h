// What the preprocessor reads of a source, for includes whose names macros put together.
#pragma once

#include <string>
#include <vector>

#include "frontend_arguments.h"
#include "mcc/driver/options/options.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// In one pass over a CUDA source, with `overlay`. `list`: a file to write to. A header that is missing ends
// nothing: compiling says so.
std::vector<std::string> filesRead(const FrontendArguments& pass, const Input& input,
                                   const std::string& overlay, const std::string& list);

// Of a source of the host's.
std::vector<std::string> filesReadByHost(const Toolchain& toolchain, const Options& options,
                                         const Input& input, const std::string& overlay,
                                         const std::string& list);

}  // namespace musashim::mcc
