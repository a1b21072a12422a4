// In which memory space an address lies.
#pragma once

#include <cstdint>

namespace musashim::devrt {

// Private memory of the threads that this host thread runs: of a thread on a fiber, its stack; of compiled
// blocks, what the block's code has on the host thread's, and what it keeps of each thread.
bool isPrivate(uintptr_t address);

}  // namespace musashim::devrt
