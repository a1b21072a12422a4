// Launches in device code (dynamic parallelism): what clang generates for `kernel<<<grid, block, shared,
// stream>>>(...)` becomes a call of the device runtime.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// A global with this prefix and a kernel's name stands for the kernel's MusaKernelInfo until
// ImageTable makes it.
inline constexpr llvm::StringRef kKernelInfoPrefix = "musa.info.";

}  // namespace musashim::mcc
