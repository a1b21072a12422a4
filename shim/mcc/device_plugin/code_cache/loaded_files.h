// What tells one build of this compiler from another.
#pragma once

#include <string>

namespace musashim::mcc {

// The build ids of the program and the libraries in this process, plug-ins and LLVM's among them. Empty where
// one has none.
std::string loadedBuildIds();

}  // namespace musashim::mcc
