#pragma once

#include <string_view>

#include "translator/lib/cursor.h"

namespace musashim::translator {

/// Does a source that uses this name ask at run time for numbers that NVIDIA and MUSA count otherwise?
bool asksForNumbers(std::string_view name);

/// Reports where such numbers are compared with literals: the compute capability (`prop.major < 7`,
/// `prop.major * 10 + prop.minor >= 80`, an attribute's value) and the versions of the runtime and the
/// driver. Values are followed through the variables of a function. Does nothing where no name
/// asksForNumbers().
void auditNumbers(Cursor& cursor);

}  // namespace musashim::translator
