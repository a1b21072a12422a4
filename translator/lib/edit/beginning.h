#pragma once

// What the C++ in place of inline PTX needs at the beginning of a file.
//
// PTX keeps the carry of an addition in a register that the next statement reads. C++ has no variable that
// all statements of a thread share, but what lies in shared memory: files with such statements begin with a
// function that gives each thread a byte there.
//
// PTX knows 16-bit floats and the like without a header; C++ does not (`headers` of mappings/ptx.yml).

#include <cstdint>
#include <string_view>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// A bit for each of ptxHeaders() that declares what `code` uses.
std::uint32_t headersOf(std::string_view code);

/// Gives the file what ptx_writer.cpp's results need of it.
void writeBeginning(Cursor& cursor);

}  // namespace musashim::translator
