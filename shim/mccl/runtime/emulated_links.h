// The MTLinks of the emulated machine (MUSASHIM_MACHINE), for the search of rings.
#pragma once

namespace musashim::mccl {

// Tells topology/ of them, the first time.
void tellEmulatedLinks();

}  // namespace musashim::mccl
