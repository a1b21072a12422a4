// Records of memory that is allocated and freed.
#pragma once

#include "musashim_tables.h"

namespace musashim::mupti {

// Looks at what is freed, while it is still there. May ask the API.
void noteMemoryBegins(const MUshimCall& call);
void noteMemoryEnds(const MUshimCall& call, int result);

}  // namespace musashim::mupti
