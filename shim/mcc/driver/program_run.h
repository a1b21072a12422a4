// nvcc's -run: a program is started as soon as it is built.
#pragma once

#include "mcc/driver/options/options.h"
#include "toolchain.h"

namespace musashim::mcc {

// Whether the only input is a program, which is to be started as it is.
bool isProgramOnly(const Options& options);

// Starts what the link of `options` made, or the program that is its input, with the SDK's libraries at hand.
// Returns its exit status.
int runBuiltProgram(const Options& options, const Toolchain& toolchain);

}  // namespace musashim::mcc
