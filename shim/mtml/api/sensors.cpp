// What a board tells of itself: sensors, firmware, names of files.
#include "mtml/state/sensors.h"

#include "mtml/api/tell.h"

using namespace musashim::mtml;

namespace {

// Runs `body` with a device that has the fan.
template <class Body>
MtmlReturn withFan(const MtmlDevice* dev, unsigned int fan, Body&& body) {
  return withLive(objects().devices, dev, [&](const MtmlDevice& one) {
    if (one.facts.fans == 0) return MTML_ERROR_NOT_SUPPORTED;
    return fan < one.facts.fans ? body(one) : MTML_ERROR_INVALID_ARGUMENT;
  });
}

}  // namespace

extern "C" {

MtmlReturn mtmlDeviceGetPowerUsage(const MtmlDevice* dev, unsigned int* power) {
  return tellLive("mtmlDeviceGetPowerUsage", objects().devices, dev, power,
                  [](const auto& one) { return milliwatts(one.index, one.facts); });
}

MtmlReturn mtmlGpuGetTemperature(const MtmlGpu* gpu, unsigned int* temp) {
  return tellLive("mtmlGpuGetTemperature", objects().gpus, gpu, temp,
                  [](const auto& one) { return celsius(one.index, one.facts); });
}

MtmlReturn mtmlDeviceCountFan(const MtmlDevice* dev, unsigned int* count) {
  return tell("mtmlDeviceCountFan", objects().devices, dev, count,
              [](const auto& one) { return one.facts.fans; });
}

MtmlReturn mtmlDeviceGetFanSpeed(const MtmlDevice* dev, unsigned int index, unsigned int* speed) {
  return entry(
      "mtmlDeviceGetFanSpeed",
      [&] {
        return withFan(dev, index,
                       [&](const MtmlDevice& one) { return give(fanPercent(one.index, one.facts), speed); });
      },
      dev, index, speed);
}

MtmlReturn mtmlDeviceGetFanRpm(const MtmlDevice* dev, unsigned int fanIndex, unsigned int* fanRpm) {
  return entry(
      "mtmlDeviceGetFanRpm",
      [&] {
        return withFan(dev, fanIndex, [&](const MtmlDevice& one) {
          if (one.facts.mostFanRpm == 0) return MTML_ERROR_NOT_SUPPORTED;
          return give(one.facts.mostFanRpm * fanPercent(one.index, one.facts) / 100, fanRpm);
        });
      },
      dev, fanIndex, fanRpm);
}

MtmlReturn mtmlDeviceGetSerialNumber(const MtmlDevice* dev, unsigned int length, char* serialNumber) {
  return tellText("mtmlDeviceGetSerialNumber", objects().devices, dev, serialNumber, length,
                  [](const auto& one) { return std::string(one.facts.serial); });
}

MtmlReturn mtmlDeviceGetMtBiosVersion(const MtmlDevice* dev, char* version, unsigned int length) {
  return tellText("mtmlDeviceGetMtBiosVersion", objects().devices, dev, version, length,
                  [](const auto& one) { return std::string(one.facts.mtbios); });
}

MtmlReturn mtmlDeviceGetVbiosVersion(const MtmlDevice* dev, char* version, unsigned int length) {
  return tellText("mtmlDeviceGetVbiosVersion", objects().devices, dev, version, length,
                  [](const auto& one) { return std::string(one.facts.mtbios); });
}

MtmlReturn mtmlDeviceGetGpuPath(const MtmlDevice* dev, char* path, unsigned int length) {
  return tellText("mtmlDeviceGetGpuPath", objects().devices, dev, path, length,
                  [](const auto& one) { return gpuPath(one.index); });
}

MtmlReturn mtmlDeviceGetPrimaryPath(const MtmlDevice* dev, char* path, unsigned int length) {
  return tellText("mtmlDeviceGetPrimaryPath", objects().devices, dev, path, length,
                  [](const auto& one) { return primaryPath(one.index); });
}

MtmlReturn mtmlDeviceGetRenderPath(const MtmlDevice* dev, char* path, unsigned int length) {
  return tellText("mtmlDeviceGetRenderPath", objects().devices, dev, path, length,
                  [](const auto& one) { return renderPath(one.index); });
}

MtmlReturn mtmlMemoryGetVendor(const MtmlMemory* mem, unsigned int length, char* vendor) {
  return tellText("mtmlMemoryGetVendor", objects().memories, mem, vendor, length,
                  [](const auto& one) { return std::string(one.facts.memoryVendor); });
}

MtmlReturn mtmlMemoryGetType(const MtmlMemory* mem, MtmlMemoryType* type) {
  return entry(
      "mtmlMemoryGetType",
      [&] {
        return with(objects().memories, mem, [&](const MtmlMemory& one) {
          const std::string_view word = one.facts.memoryType;
          if (word == "GDDR6") return give(MTML_MEM_TYPE_GDDR6, type);
          return word == "LPDDR4" ? give(MTML_MEM_TYPE_LPDDR4, type) : MTML_ERROR_NOT_SUPPORTED;
        });
      },
      mem, type);
}

}  // extern "C"
