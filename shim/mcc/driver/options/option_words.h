// The quotes, commas and blanks of nvcc's values, by what nvcc 13 does with them.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// The arguments that -Xcompiler and its like hand on. Commas outside double quotes part them, a backslash
// keeps the next character, and a shell reads the result, which parts it at blanks and takes quotes away.
// Commas between \" and \" stay as well, with the quotes: nvcc puts blanks there, which no program can mean.
std::vector<std::string> wordsOfList(llvm::StringRef list);

// The values of a list like -I's and -D's. Commas outside double quotes part them, a backslash keeps the next
// character, and the quotes stay.
std::vector<std::string> valuesOfList(llvm::StringRef list);

// The arguments of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS: blanks outside double quotes part them, and the
// quotes stay, for the lists above.
std::vector<std::string> wordsOfVariable(llvm::StringRef text);

}  // namespace musashim::mcc
