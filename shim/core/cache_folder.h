// The folder in which programs of the SDK keep what they have compiled: MUSASHIM_CACHE_PATH, or musashim/ in
// the user's cache; MUSASHIM_CACHE_MIB of each kind.
#pragma once

#include <cstdint>
#include <string>

namespace musashim::core {

// Of what is of `kind`. Empty when there is to be none.
std::string cacheFolder(const std::string& kind);

// Bytes that one kind may take.
uint64_t cacheLimit();

// What tells that a file is the same: its size, its place and when it was written.
std::string fileState(const std::string& path);

// Removes the files of `folder` that were written longest ago while all take more than `limit` bytes.
void removeOldest(const std::string& folder, uint64_t limit);

}  // namespace musashim::core
