#pragma once

#include <string>

namespace musashim::translator {

/// The logic function lop3 computes from $1, $2 and $3 with a table of eight bits, as C++.
std::string logicOf(unsigned table);

}  // namespace musashim::translator
