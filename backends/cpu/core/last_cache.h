#pragma once

#include <cstdint>

namespace musashim::backend::cpu {

// Bytes of the cache that is nearest to memory, as the kernel has it: what the processor says of itself may
// be of all of a machine of which this is a part. 32 MiB where nobody says.
uint64_t lastCacheBytes();

}  // namespace musashim::backend::cpu
