// What all processes that share the devices have of them, for tools that only look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace musashim::backend {

struct ProcessUse {
  int process = 0;
  uint64_t bytes = 0;  // of the device's memory
};

// Devices that running processes of this user share, or have for themselves in one session.
struct RunningMachine {
  std::string session, product;  // as MUSASHIM_SESSION and MUSASHIM_ARCH name them
  size_t devices = 0;            // of the process that has the most
  size_t processes = 0;
};
// Looks at the system, not at the backend of this process.
std::vector<RunningMachine> runningMachines();

// What a device's sensors tell, where the machine's description sets it. What it leaves out of the
// temperature, the power, the fans and the serial number follows from the profile.
struct DeviceReadings {
  std::optional<unsigned> celsius, milliwatts, fanPercent;
  std::optional<uint64_t> eccCorrected, eccUncorrected;
  std::string serial;  // empty: not set
};

// MTLinks between two devices.
struct DeviceLink {
  size_t a = 0, b = 0;
  unsigned mtlinks = 0;
};

class Monitor {
 public:
  virtual ~Monitor() = default;

  // The processes that have contexts or memory on the device.
  virtual std::vector<ProcessUse> processesOn(size_t device) = 0;
  virtual uint64_t usedBytes(size_t device) = 0;
  // A bit for each device on which a kernel runs at this moment. Cheap: to be asked again and again.
  virtual uint64_t runningDevices() = 0;
  // A bit for each device that some process has lost.
  virtual uint64_t lostDevices() = 0;
  // The name (mangled) of the kernel that the calling thread runs; null outside of kernels.
  virtual const char* runningKernel() = 0;
};

}  // namespace musashim::backend
