// OpenSHMEM's static variables are symmetric; MTSHMEM's heap is the only memory of its that is.
#pragma once

#include <cstddef>

namespace shim {

// Puts the program's variables into the heap, at the same place for all PEs. Collective, once.
void shareStatics();

// Where a variable of the program is in the heap; other addresses stay as they are.
void* symmetric(const void* address);

}  // namespace shim
