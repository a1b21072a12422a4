// mcc as the vendor's bin/clang and bin/clang++, by which builds name the SDK's compiler: clang for the host,
// and for MUSA source with `-x musa -mtgpu`.
#pragma once

#include <string>
#include <vector>

#include "toolchain.h"

namespace musashim::mcc {

// By the name that the program was called by.
bool isCalledClang(const std::string& program);

// Whether the command has something of MUSA's in it: `-x musa`, -mtgpu, an architecture, a .mu or .cu file.
// If not, it is clang's.
bool hasMusaWork(const std::vector<std::string>& arguments);

// Becomes the clang of the toolchain, called `program`. Returns, with an exit status, only on failure.
int runAsClang(const Toolchain& toolchain, const std::string& program,
               const std::vector<std::string>& arguments);

}  // namespace musashim::mcc
