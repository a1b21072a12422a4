// Lets device code launch kernels: clang refuses to refer to one there.
#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace musashim::mcc {

// From here on, `name<<<` in the device functions that `compiler` reads may name a kernel.
void acceptDeviceLaunches(clang::CompilerInstance& compiler);

}  // namespace musashim::mcc
