#pragma once

#include "translator/tool/arguments.h"

namespace musashim::translator {

/// Does what the command line asks for. Returns the exit status. Throws PortError and Interrupted, after
/// which nothing has been written.
int run(const Arguments& arguments);

}  // namespace musashim::translator
