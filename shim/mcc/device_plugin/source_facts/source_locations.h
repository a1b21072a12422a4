// Where in the source an instruction is from, by its debug location.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace musashim::mcc {

// The file's path, with the folder of the compilation where it is relative.
std::string pathOf(const llvm::DILocation& location);

// Of what is inlined from headers of the folder `sdk`: where it is called from outside of them. Empty: no
// folder.
const llvm::DILocation& callerOf(const llvm::DILocation& location, llvm::StringRef sdk);

}  // namespace musashim::mcc
