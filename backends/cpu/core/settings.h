// The settings of the cpu backend: environment variables, read once. The table is
// in settings.cpp; backends/README.md repeats it for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpu/core/emulated_machine.h"
#include "interface/pci_address.h"
#include "interface/profile.h"

namespace musashim::backend::cpu {

struct Settings {
  std::string backend = "cpu";
  unsigned devices = 1;
  const DeviceProfile* profile = nullptr;  // never null; of devices that no file describes
  EmulatedMachine machine;                 // of MUSASHIM_MACHINE; no devices: there is none
  std::vector<PciAddress> places;          // of the first devices
  bool overcommit = false;
  std::string session;    // processes of one session share the devices; empty: this one is alone
  unsigned threads = 0;   // processors to use; 0 = those that the process may use
  unsigned cpuLevel = 4;  // of images that may be chosen, at most
  size_t reserveBytes = size_t{512} << 20;
  size_t fiberStackBytes = size_t{128} << 10;
  size_t printfBytes = size_t{1} << 20;
  size_t heapBytes = size_t{8} << 20;
  // What a grid must write to do so by streaming stores; none: more than they hold.
  std::optional<size_t> pastCachesBytes;
  std::optional<bool> protect;  // memory of devices from host code; none: where that can be had

  const DeviceProfile& profileOf(size_t device) const {
    return machine.devices.empty() ? *profile : machine.devices[device].profile;
  }
  // Processes with the same one have the same devices.
  const std::string& machineWord() const { return machine.devices.empty() ? profile->id : machine.word; }

  std::string error;  // not empty: a value was unusable, and this says which and what would do
};

// From the environment, by `getenv` or one like it.
Settings readSettings(const char* (*get)(const char* name));

// The process's, read on first use.
const Settings& settings();

}  // namespace musashim::backend::cpu
