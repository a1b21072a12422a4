// What sysfs tells of a device and hwloc does not.
#pragma once

#include <string>

namespace musashim::mccl::topology {

class Sysfs {
 public:
  // Of this machine, or of the one that MUSASHIM_SYSFS holds. `isThere` false: of none.
  explicit Sysfs(bool isThere);

  // The root to which "/sys/..." belongs, as hwloc's HWLOC_FSROOT; empty for this machine.
  static std::string root();

  // A file's first line below /sys; empty when there is none.
  std::string line(const std::string& path) const;

  // "16.0 GT/s PCIe", of the slower of device and port, and the lanes of the narrower; empty when unknown.
  std::string linkSpeed(const std::string& bus) const;
  std::string linkWidth(const std::string& bus) const;

  // Mbit/s of an Ethernet interface, or of the RDMA device's port 1; 0 when unknown.
  int interfaceSpeed(const std::string& name) const;
  int rdmaSpeed(const std::string& name) const;

 private:
  const bool isThere_;
  const std::string root_;
};

}  // namespace musashim::mccl::topology
