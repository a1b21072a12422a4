// What clang's own option table says of a command line: inputs, the phase to end with.
#pragma once

#include <optional>
#include <string>

#include "llvm/Option/ArgList.h"
#include "options.h"

namespace musashim::mcc {

// `options.clangArguments` as clang's driver reads them, to whose characters it refers. `missing`: the
// argument that lacks a value, if one does.
llvm::opt::InputArgList parseClangArguments(const Options& options, std::optional<size_t>* missing = nullptr);

// Finds the inputs among `options.clangArguments` and sets what they and the other arguments decide; takes
// out what clang does not know (`-x musa`). `languageIsMusa`: what an option before said of all inputs.
// On a mistake returns false and sets `error`.
bool readClangArguments(Options& options, bool languageIsMusa, std::string& error);

// No option of clang's, or -W... with no warning of clang's.
bool isUnknownToClang(llvm::StringRef argument);

// Whether the command has words for the linker: which one it is, a script, options of its own.
bool instructsLinker(const Options& options);

}  // namespace musashim::mcc
