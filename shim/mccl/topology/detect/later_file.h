// Machines that hwloc 3 has written, for hwloc 2, which refuses them though little differs.
#pragma once

#include <string>

namespace musashim::mccl::topology {

// What the file at `path` says, as hwloc 2 has it; empty where it is no file of hwloc 3's.
std::string readLaterFile(const std::string& path);

}  // namespace musashim::mccl::topology
