#pragma once

#include "crt/ranges_abi.h"

namespace musashim::musa {

// Null while nobody traces.
const MUshimRangeTable* rangeTable();

}  // namespace musashim::musa
