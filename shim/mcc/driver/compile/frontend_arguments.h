// The arguments of `clang -cc1` for the two passes over a MUSA source file.
//
// Clang's own driver turns the user's options into those of a HIP host compilation;
// both passes start from them, so that -I, -D, -std, -O, -g, -W ... mean what they
// mean in clang. Why HIP underneath: it knows __managed__ and new launch stubs.
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/options/options.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

struct FrontendArguments {
  std::string program;                 // the clang that has -cc1
  std::vector<std::string> arguments;  // "-cc1" first; output and input left out
  bool isCuda = false;                 // of a CUDA source
};

// The user's options without inputs, output, libraries and phase.
std::vector<std::string> compileOptions(const Options& options);

// Errors of C++ to clang, warnings to nvcc and g++: they stay warnings.
std::vector<std::string> toleratedCxx();

// nvcc's version, which CUDA sources may print or put into other macros. MUSA sources do not have it:
// musaport reports it.
std::vector<std::string> nvccVersion();

// What tells CUDA sources the compute capability of the CUDA face (core/cuda_capability.h), on both sides:
// nvcc's list of architectures, and that calls by CUDA's names are declared.
std::vector<std::string> cudaFaceMacros();

// How clang is told to end where options.phase ends, or at an object for a link.
const char* phaseOption(const Options& options);

// False when clang's driver refused the options; it has said why.
bool hostArguments(const Toolchain& toolchain, const Options& options, const Input& input,
                   FrontendArguments& result);

// What has the host pass write the file of dependencies, for a device pass that has no host pass after it.
std::vector<std::string> dependencyArguments(const FrontendArguments& host);

// Device pass for `arch`, made from the host pass's arguments. `processor`: of -fmusa-cpu; empty when it
// was not given.
FrontendArguments deviceArguments(const Toolchain& toolchain, const Options& options,
                                  const FrontendArguments& host, uint32_t arch, const std::string& processor);

}  // namespace musashim::mcc
