// The control groups that a process is in.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace musashim::support {

// Calls visit(folder, isVersion2) for the group that `controller` has the process in and for its ancestors;
// in a container only the mount's root may be visible. Nothing where there are no groups.
template <class Visit>
void visitControlGroups(const std::string& procRoot, const std::string& cgroupRoot,
                        const std::string& controller, Visit visit) {
  std::ifstream groups(procRoot + "/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    // "hierarchy:controllers:/path"; version 2 has hierarchy 0 and no controllers.
    std::istringstream fields(line);
    std::string hierarchy, controllers, group;
    std::getline(fields, hierarchy, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, group);
    const bool isVersion2 = hierarchy == "0" && controllers.empty();
    if (!isVersion2 && (',' + controllers + ',').find(',' + controller + ',') == std::string::npos) continue;
    const std::string mount = isVersion2 ? cgroupRoot : cgroupRoot + '/' + controller;
    visit(mount, isVersion2);
    while (group.size() > 1 && group.front() == '/') {
      visit(mount + group, isVersion2);
      group.erase(group.rfind('/'));
    }
  }
}

}  // namespace musashim::support
