#pragma once

#include "translator/tool/arguments.h"

namespace musashim::translator {

/// musaport -: ports standard input to standard output. Returns the exit status.
int runFilter(const Arguments& arguments);

}  // namespace musashim::translator
