#pragma once

// What nvcc takes between the brackets of a launch, and clang, and so mcc, does not:
//
//   kernel << <grid, block >> >(x)           as formatters that do not know them leave them
//   kernel<<<grid, {32, height}>>>(x)        sizes without their type

#include <string_view>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// False only if portLaunches() would find nothing in `text`.
bool mayHoldLaunch(std::string_view text);

void portLaunches(Cursor& cursor);

}  // namespace musashim::translator
