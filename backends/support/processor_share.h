// How many processors a process may use: those that it is bound to, or fewer where its control groups allow
// it less of their time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

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

// The group and its ancestors; in a container only the mount's root may be visible.
inline unsigned upwards(const std::string& mount, std::string group, bool version2) {
  unsigned least = ofGroup(mount, version2);
  while (group.size() > 1 && group.front() == '/') {
    least = std::min(least, ofGroup(mount + group, version2));
    group.erase(group.rfind('/'));
  }
  return least;
}

}  // namespace processor_share

// What the control groups of the process allow, in processors. The arguments are for tests.
inline unsigned allowedProcessors(const std::string& procRoot = "/proc",
                                  const std::string& cgroupRoot = "/sys/fs/cgroup") {
  unsigned least = processor_share::kUnlimited;
  std::ifstream groups(procRoot + "/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    // "hierarchy:controllers:/path"; version 2 has hierarchy 0 and no controllers.
    std::istringstream fields(line);
    std::string hierarchy, controllers, path;
    std::getline(fields, hierarchy, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, path);
    if (hierarchy == "0" && controllers.empty()) {
      least = std::min(least, processor_share::upwards(cgroupRoot, path, true));
    } else if ((',' + controllers + ',').find(",cpu,") != std::string::npos) {
      least = std::min(least, processor_share::upwards(cgroupRoot + "/cpu", path, false));
    }
  }
  return least;
}

// At least one.
inline unsigned usableProcessors() {
  const auto bound = Processors::ofThread();
  const unsigned most = bound ? static_cast<unsigned>(std::max(1, bound->count())) : 1;
  return std::min(most, allowedProcessors());
}

}  // namespace musashim::support
