// Where an address lies, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::devrt::checks {

// True within the memory of a device or the page-locked memory of the host.
bool isDeviceRange(uintptr_t address);

// "4 bytes after", "1 bytes before", "8 bytes inside": counted as compute-sanitizer
// counts, the first byte behind the range being one after it.
std::string distanceText(uintptr_t address, uint64_t bytes, uintptr_t base, uint64_t size);

// The freed or nearest allocation, or that it is memory no device can reach.
std::vector<std::string> describeAddress(uintptr_t address, uint64_t bytes);

}  // namespace musashim::devrt::checks
