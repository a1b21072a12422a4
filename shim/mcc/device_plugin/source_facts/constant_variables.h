// How __constant__ variables are told from others.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// The annotation that crt/host_defines.h gives them; then their attribute.
inline constexpr llvm::StringRef kConstantAnnotation = "musa.constant";

}  // namespace musashim::mcc
