// A kernel's launch as a folder that runs it alone.
#pragma once

#include <string>

#include "diff/tool/diff.h"

namespace musashim::diff {

// Writes the inputs that `a` recorded, the images of both, what both have written, and `program` (replay.cpp)
// to `folder`. False, with the reason.
bool extract(const Run& a, const Run& b, const Step& step, const std::string& sources,
             const std::string& folder, std::string& error);

}  // namespace musashim::diff
