// What this machine can still give: the kernel's estimate and the control groups' limits.
#pragma once

#include <cstdint>
#include <string>

namespace musashim::backend::cpu {

class MachineMemory {
 public:
  // The roots are parameters for tests only.
  explicit MachineMemory(std::string procRoot = "/proc", std::string cgroupRoot = "/sys/fs/cgroup");

  // Bytes that this process could touch now without swapping or being killed: the
  // smallest of MemAvailable and, per control group (v2 or v1, up to the root), its
  // limit less its use, where page cache that can be dropped does not count as use.
  uint64_t available() const;

  // RAM of the machine.
  uint64_t total() const;

 private:
  std::string procRoot_, cgroupRoot_;
};

}  // namespace musashim::backend::cpu
