// What kind of device is emulated: facts of the hardware, no behaviour.
// Filled from backends/cpu/profiles/*.yaml; sources of the figures stand there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace musashim::backend {

struct DeviceProfile {
  std::string id;                 // file name of the profile: "s4000"
  std::string name;               // "MTT S4000"
  uint32_t arch = 0;              // __MUSA_ARCH__: 210, 220, 310
  uint32_t major = 0, minor = 0;  // compute capability
  uint32_t warpSize = 0;          // lanes
  uint32_t multiprocessors = 0;
  uint32_t maxThreadsPerBlock = 0;
  uint32_t maxThreadsPerMultiprocessor = 0;
  uint32_t maxBlocksPerMultiprocessor = 0;
  uint32_t registersPerBlock = 0;
  uint32_t registersPerMultiprocessor = 0;
  size_t sharedBytesPerBlock = 0;
  size_t sharedBytesPerBlockOptin = 0;
  size_t sharedBytesPerMultiprocessor = 0;
  size_t constantBytes = 0;
  size_t l2Bytes = 0;
  size_t memoryBytes = 0;
  size_t boardMemoryBytes = 0;  // what tools call the device's memory, with the part that programs do not see
  uint32_t memoryBusBits = 0;
  uint32_t clockKHz = 0;
  uint32_t memoryClockKHz = 0;
  uint32_t maxGrid[3] = {0, 0, 0};
  uint32_t maxBlock[3] = {0, 0, 0};
  uint32_t pciVendorId = 0, pciDeviceId = 0;
  uint32_t asyncEngines = 0;
  bool cooperativeLaunch = false;
  // What tools show of the board; what moves does so with the load.
  uint32_t powerLimitMilliwatts = 0, idleMilliwatts = 0, fullMilliwatts = 0;
  uint32_t idleCelsius = 0, fullCelsius = 0;
  uint32_t fans = 0;  // 0: the server's cool it
  uint32_t idleFanPercent = 0, fullFanPercent = 0, mostFanRpm = 0;
  std::string mtbios;        // version of the firmware: "3.4.8"
  std::string serialPrefix;  // what serial numbers of the product begin with
  std::string memoryType, memoryVendor;
};

}  // namespace musashim::backend
