// Large work is shared with the threads that compute for the devices.
#pragma once

#include <cstddef>
#include <functional>

namespace musashim::libs {

// How many threads compute at once, the caller's included: the processors that the process may use, or
// MUSASHIM_THREADS.
size_t sharingThreads();

// Runs part(0) ... part(parts - 1), each once, on the calling thread and whoever of the helpers is free;
// returns when all have run. Helpers may touch devices' memory. Parts must not wait for each other. Throws
// what the first part that threw has thrown, when all have run.
void shareOut(size_t parts, const std::function<void(size_t)>& part);

}  // namespace musashim::libs
