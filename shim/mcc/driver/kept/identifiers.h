// The identifiers that headers mention. A macro by another name changes nothing of them.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// Of C++ or of the SDK, or put together by their macros: such names are in no list, and always matter.
bool isReservedIdentifier(llvm::StringRef name);

// Of all files: sorted, each between line ends.
std::string identifiersOf(const std::vector<std::string>& files);

// Whether `identifiers`, as above, has it.
bool mentions(llvm::StringRef identifiers, llvm::StringRef name);

// Whether the value of the macro that `option` defines (-Dname=value) has it.
bool isInValue(llvm::StringRef option, llvm::StringRef name);

}  // namespace musashim::mcc
