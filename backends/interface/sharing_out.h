// Work of libraries on the threads that compute for devices.
#pragma once

#include <cstddef>

namespace musashim::backend {

// How many threads compute at once.
size_t computingThreads();

// Calls part(data, 0) ... part(data, parts - 1), each once, on the calling thread and on those that compute
// for devices, which may touch all devices' memory; returns when all have returned. Parts throw nothing and
// do not wait for each other.
void shareOut(size_t parts, void (*part)(void* data, size_t index), void* data);

}  // namespace musashim::backend
