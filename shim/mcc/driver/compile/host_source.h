// Sources of the host alone that clang's driver would not take for what they are: nvcc and gcc take a .c file
// for C whatever else they compile, clang++ for C++; and C++ of CUDA projects is ported first. So each has a
// command of its own, without the options that only the other language knows.
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// The beginning of each command for it: what is to be done, the language and the source follow.
std::vector<std::string> hostSourceCommand(const Toolchain& toolchain, const Options& options,
                                           const Input& input, const std::string& overlay);

// `overlay`: names a port of the file and of its project's headers (cuda_source.h); empty when it is read as
// it is. Returns an exit status.
int compileHostSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                      const Input& input, const std::string& overlay, const std::string& output);

}  // namespace musashim::mcc
