// Inline assembly that the vendor's compiler takes in device code, as data.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

struct VendorAssembly {
  llvm::StringRef code;  // without the semicolon
  llvm::StringRef
      function;  // of the device runtime, without parameters, which does the same and does not return
};

// muThrust's handlers of errors have it.
inline constexpr VendorAssembly kVendorAssembly[] = {{"trap", "__musa_trap"}};

// The function for the text of an asm statement; empty where there is none.
inline llvm::StringRef functionOfAssembly(llvm::StringRef code) {
  code = code.trim();
  code.consume_back(";");
  for (const VendorAssembly& known : kVendorAssembly) {
    if (code.trim() == known.code) return known.function;
  }
  return {};
}

}  // namespace musashim::mcc
