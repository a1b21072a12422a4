// Headers of the language's library and of the SDK that a source begins with. They are most of a small
// source's compilation, and mean the same in all sources that begin so.
#pragma once

#include <set>
#include <string>

#include "prelude_step.h"

namespace musashim::mcc {

// Of the source of `step`, and of the project's headers that it begins with: those of C++'s library and
// of the SDK that take long to read, which nothing precedes but comments, other headers of the system's and
// the SDK's, and a header's own guard. What stands before a header may change what it means, so the first
// other thing ends the search.
std::set<std::string> leadingHeaders(const PreludeStep& step);

}  // namespace musashim::mcc
