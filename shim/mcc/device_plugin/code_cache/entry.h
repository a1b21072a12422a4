// A file of the cache of device code, and the names of those by which the pass and the driver tell each other
// what became of a module.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// Options of the pass, behind -mllvm.
inline constexpr llvm::StringRef kCodeCacheFolder = "musa-code-cache";           // where the entries are
inline constexpr llvm::StringRef kCodeCacheOptions = "musa-code-cache-options";  // a name for the command's
inline constexpr llvm::StringRef kCodeCacheNotes = "musa-code-cache-notes";      // what its files begin with

// `notes`: the value of kCodeCacheNotes.
inline std::string knownCodeFile(const std::string& notes) { return notes + ".known"; }
inline std::string entryNameFile(const std::string& notes) { return notes + ".entry"; }

std::string entryPath(llvm::StringRef folder, llvm::StringRef name);

// In hexadecimal.
std::string entryName(const std::array<uint8_t, 32>& digest);

// An entry with the object `code`.
std::string writeEntry(llvm::StringRef code);

// The object of an entry. Nothing when it is not whole.
std::optional<llvm::StringRef> readEntry(llvm::StringRef entry);

}  // namespace musashim::mcc
