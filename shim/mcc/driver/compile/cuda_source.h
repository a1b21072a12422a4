// CUDA sources compiled as they are (`mcc -x cuda`): musaport ports the file and the headers
// of the project that it includes, and clang reads the result in their place, so that
// messages and debuggers name the user's own files and lines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// The files that the preprocessor reads with an overlay, in all passes.
using ReadFiles = std::function<std::vector<std::string>(const std::string& overlay)>;

// Ports `input` and writes the overlay for clang's -ivfsoverlay to `overlay`. Headers are those
// found beside the file that includes them and in the folders of -I, -iquote, -isystem and
// -idirafter; those of a CUDA SDK and of ours are left alone. Where macros put the names of headers together,
// `readFiles` is asked which they are. Returns an exit status.
int portCudaSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const Input& input, const std::string& folder, const std::string& overlay,
                   const ReadFiles& readFiles);

}  // namespace musashim::mcc
