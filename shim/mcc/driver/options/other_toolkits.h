// Other CUDA toolkits on the machine: what options and the environment say of them must not get into the
// place of this SDK's headers and libraries.
#pragma once

#include <string>

#include "options.h"

namespace musashim::mcc {

// Puts folders of -I, -L, CPATH and the like behind this SDK's, and tells of them. `sdk`: its root.
void putOtherToolkitsLast(Options& options, const std::string& sdk);

// False, with a message, if a link would take a library of another toolkit.
bool checkLinkedLibraries(const Options& options, const std::string& sdk);

}  // namespace musashim::mcc
