// mcc as the nvcc of the SDK's CUDA face ($MUSA_PATH/cuda/bin/nvcc, shim/cuda).
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/options/options.h"
#include "toolchain.h"

namespace musashim::mcc {

// By the name that the program was called by.
bool isCalledNvcc(const std::string& program);

// What mcc, the program `self`, is to be told for nvcc's `arguments`.
std::vector<std::string> mccArguments(const std::string& self, const std::vector<std::string>& arguments);

// nvcc's words, by which build systems know it and its version.
void printNvccVersion();

// The answer to --list-gpu-arch and --list-gpu-code, in nvcc's form: up to the compute capability of the CUDA
// face, for which code is compiled whatever -arch says.
void printNvccArchitectures(const Options& options);

// The lines of nvcc's -v and --dryrun that build systems read: where the toolkit is, and the host's link.
void printNvccPlaces(const Toolchain& toolchain);

}  // namespace musashim::mcc
