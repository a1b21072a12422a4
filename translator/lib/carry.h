#pragma once

// PTX keeps the carry of an addition in a register that the next statement reads. C++ has no variable that
// all statements of a thread share, but what lies in shared memory: files with such statements begin with a
// function that gives each thread a byte there.

#include <string_view>

#include "translator/lib/cursor.h"

namespace musashim::translator {

/// Gives the file the function that ptx_writer.cpp's results call, if they do.
void defineCarry(Cursor& cursor);

}  // namespace musashim::translator
