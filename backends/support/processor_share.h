// How many processors a process may use: those that it is bound to, or fewer where its control groups allow
// it less of their time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "support/control_groups.h"
#include "support/processor.h"

namespace musashim::support {

namespace processor_share {

constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();

// Time in each period, in processors, rounded up. Anything but two positive numbers is no limit.
inline unsigned fromText(const std::string& text) {
  std::istringstream numbers(text);
  int64_t quota = 0, period = 0;
  if (!(numbers >> quota >> period) || quota <= 0 || period <= 0) return kUnlimited;
  return static_cast<unsigned>(std::clamp<int64_t>((quota - 1) / period + 1, 1, kUnlimited));
}

inline std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

inline unsigned ofGroup(const std::string& folder, bool version2) {
  if (version2) return fromText(firstLine(folder + "/cpu.max"));
  return fromText(firstLine(folder + "/cpu.cfs_quota_us") + ' ' + firstLine(folder + "/cpu.cfs_period_us"));
}

}  // namespace processor_share

// What the control groups of the process allow, in processors. The arguments are for tests.
inline unsigned allowedProcessors(const std::string& procRoot = "/proc",
                                  const std::string& cgroupRoot = "/sys/fs/cgroup") {
  unsigned least = processor_share::kUnlimited;
  visitControlGroups(procRoot, cgroupRoot, "cpu", [&least](const std::string& folder, bool isVersion2) {
    least = std::min(least, processor_share::ofGroup(folder, isVersion2));
  });
  return least;
}

// At least one.
inline unsigned usableProcessors() {
  const auto bound = Processors::ofThread();
  const unsigned most = bound ? static_cast<unsigned>(std::max(1, bound->count())) : 1;
  return std::min(most, allowedProcessors());
}

}  // namespace musashim::support
