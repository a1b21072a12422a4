#include "cpu/core/last_cache.h"

#include <fstream>
#include <string>

namespace musashim::backend::cpu {

uint64_t lastCacheBytes() {
  for (const char* index : {"3", "2"}) {
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
    uint64_t kibibytes = 0;
    char unit = 0;
    if (file >> kibibytes >> unit && unit == 'K' && kibibytes > 0) return kibibytes << 10;
  }
  return uint64_t{32} << 20;
}

}  // namespace musashim::backend::cpu
