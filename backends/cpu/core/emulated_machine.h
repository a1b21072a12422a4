// The machine that MUSASHIM_MACHINE describes: a YAML file, by the schema in
// share/musashim/machine.schema.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cpu/core/fault_plan.h"
#include "interface/monitor.h"
#include "interface/pci_address.h"
#include "interface/profile.h"

namespace musashim::backend::cpu {

struct MachineDevice {
  DeviceProfile profile;
  std::optional<PciAddress> place;
  DeviceReadings readings;
  std::vector<FaultRule> faults;
};

struct MachineLink {
  size_t a = 0, b = 0;            // devices
  unsigned mtlinks = 0;           // 0: none is told of
  double gigabytesPerSecond = 0;  // 0: as fast as it goes
};

struct EmulatedMachine {
  std::vector<MachineDevice> devices;
  std::vector<MachineLink> links;
  std::string word;  // the same for all processes with the same file: they share its devices
};

// Empty, or what is wrong: "machine.yaml:7:3: ...".
std::string readMachine(const std::string& path, EmulatedMachine& machine);

}  // namespace musashim::backend::cpu
