// Options that tune the vendor's code generator, which mcc takes and leaves out, as data: no result depends
// on them.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// `value` is that of -mllvm.
bool isVendorBackendOption(llvm::StringRef value);
// One of the compiler's own.
bool isVendorTuningOption(llvm::StringRef argument);
// -Od0 ... -Od3, -Ods: how much device code is optimized. Sets `level` to clang's -O of that, or returns
// false.
bool isDeviceOptimization(llvm::StringRef argument, std::string& level);

// For --help.
std::string vendorOptionsHelp();

}  // namespace musashim::mcc
