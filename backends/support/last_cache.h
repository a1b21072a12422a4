#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace musashim::support {

// Bytes of the cache that is nearest to memory, as the kernel has it: what the processor says of itself may
// be of all of a machine of which this is a part. 32 MiB where nobody says.
inline uint64_t lastCacheBytes() {
  for (const char* index : {"3", "2"}) {
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
    uint64_t kibibytes = 0;
    char unit = 0;
    if (file >> kibibytes >> unit && unit == 'K' && kibibytes > 0) return kibibytes << 10;
  }
  return uint64_t{32} << 20;
}

}  // namespace musashim::support
