// Headers of the vendor's SDK and of NVIDIA's that musashim's SDK does not have.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// What a header that was not found is, and what to do; empty for headers that are nobody's here.
std::string missingHeaderAdvice(llvm::StringRef header);

}  // namespace musashim::mcc
