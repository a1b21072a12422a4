#include "mccl/topology/detect/sysfs.h"

#include <cstdlib>
#include <fstream>

#include "mccl/core/settings.h"
#include "mccl/topology/bandwidth.h"

namespace musashim::mccl::topology {

Sysfs::Sysfs(bool isThere) : isThere_(isThere), root_(root()) {}

std::string Sysfs::root() {
  const std::string& sysfs = settings().sysfs;
  // The folder holds what /sys holds, or a sys that does.
  const bool endsInSys = sysfs.ends_with("/sys");
  return endsInSys ? sysfs.substr(0, sysfs.size() - 4) : sysfs;
}

std::string Sysfs::line(const std::string& path) const {
  std::string text;
  if (isThere_) {
    std::ifstream file(root_ + "/sys/" + path);
    std::getline(file, text);
  }
  return text;
}

std::string Sysfs::linkSpeed(const std::string& bus) const {
  const std::string device = line("bus/pci/devices/" + bus + "/max_link_speed");
  const std::string port = line("bus/pci/devices/" + bus + "/../max_link_speed");
  if (transfersOf(port) == 0) return transfersOf(device) == 0 ? "" : device;
  return transfersOf(device) == 0 || transfersOf(port) < transfersOf(device) ? port : device;
}

std::string Sysfs::linkWidth(const std::string& bus) const {
  const auto lanes = [&](const std::string& place) {
    const int count = std::atoi(line("bus/pci/devices/" + bus + place + "max_link_width").c_str());
    return count > 0 && count < 255 ? count : 0;
  };
  const int device = lanes("/"), port = lanes("/../");
  const int both = device == 0 || port == 0 ? std::max(device, port) : std::min(device, port);
  return both == 0 ? "" : std::to_string(both);
}

int Sysfs::interfaceSpeed(const std::string& name) const {
  return std::max(0, std::atoi(line("class/net/" + name + "/speed").c_str()));
}

// "100 Gb/sec (4X EDR)"
int Sysfs::rdmaSpeed(const std::string& name) const {
  return static_cast<int>(1000 *
                          std::strtod(line("class/infiniband/" + name + "/ports/1/rate").c_str(), nullptr));
}

}  // namespace musashim::mccl::topology
