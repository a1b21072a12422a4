#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace musashim::support {

// Of each processor the lowest that shares its last cache, as the kernel has it: that of several sockets or
// dies is not one. Empty where nobody says.
inline std::vector<uint16_t> cacheGroups() {
  constexpr long kMost = 1024;
  std::vector<uint16_t> groups;
  for (long i = 0; i < std::min(kMost, sysconf(_SC_NPROCESSORS_CONF)); ++i) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(i) + "/cache/index3/shared_cpu_list");
    uint16_t lowest = 0;
    if (!(file >> lowest)) return {};
    groups.push_back(lowest);
  }
  return groups;
}

}  // namespace musashim::support
