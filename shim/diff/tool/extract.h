// A kernel's launch as a folder that runs it alone.
#pragma once

#include <string>

#include "diff/tool/align.h"

namespace musashim::diff {

// Writes the inputs that `a` recorded, the images of both, what both have written, and `program` (replay.cpp)
// to `folder`. False, with the reason.
bool extract(const Run& a, const Run& b, const Pair& pair, const std::string& program,
             const std::string& folder, std::string& error);

}  // namespace musashim::diff
