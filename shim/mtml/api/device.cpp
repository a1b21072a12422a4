// What is told of a device, its compute part and its memory.
#include "mtml/api/entry.h"
#include "mtml/state/objects.h"
#include "mtml/state/topology.h"

using namespace musashim::mtml;

namespace {

// PCI Express 4.0 with 16 lanes, by the data sheet of the S4000; libmccl places devices so as well.
constexpr float kPciSpeed = 16;
constexpr unsigned int kPciLanes = 16, kPciGeneration = 4;

template <class Arena, class Handle, class Value, class Read>
MtmlReturn tell(const char* name, const Arena& arena, const Handle* handle, Value* out, Read&& read) {
  return entry(
      name, [&] { return with(arena, handle, [&](const auto& object) { return give(read(object), out); }); },
      handle, out);
}

// As with(), of a device that is still there.
template <class Arena, class Handle, class Body>
MtmlReturn withLive(const Arena& arena, const Handle* handle, Body&& body) {
  return with(arena, handle, [&](const auto& object) {
    return isLost(object.index) ? MTML_ERROR_DRIVER_FAILURE : body(object);
  });
}

template <class Arena, class Handle, class Value, class Read>
MtmlReturn tellLive(const char* name, const Arena& arena, const Handle* handle, Value* out, Read&& read) {
  return entry(
      name,
      [&] { return withLive(arena, handle, [&](const auto& object) { return give(read(object), out); }); },
      handle, out);
}

constexpr unsigned int mhz(unsigned int kHz) { return kHz / 1000; }
// Two transfers a cycle.
constexpr unsigned int gigabytesPerSecond(const MUshimDevice& facts) {
  return static_cast<unsigned int>(2ull * facts.memoryClockKHz * facts.memoryBusBits / 8 / 1000000);
}

}  // namespace

extern "C" {

MtmlReturn mtmlDeviceGetIndex(const MtmlDevice* dev, unsigned int* index) {
  return tell("mtmlDeviceGetIndex", objects().devices, dev, index, [](const auto& one) { return one.index; });
}

MtmlReturn mtmlDeviceGetUUID(const MtmlDevice* dev, char* uuid, unsigned int length) {
  return entry(
      "mtmlDeviceGetUUID",
      [&] {
        return with(objects().devices, dev,
                    [&](const MtmlDevice& device) { return give(uuidText(device.facts), uuid, length); });
      },
      dev, static_cast<void*>(uuid), length);
}

MtmlReturn mtmlDeviceGetBrand(const MtmlDevice* dev, MtmlBrandType* type) {
  return tell("mtmlDeviceGetBrand", objects().devices, dev, type, [](const auto&) { return MTML_BRAND_MTT; });
}

MtmlReturn mtmlDeviceGetName(const MtmlDevice* dev, char* name, unsigned int length) {
  return entry(
      "mtmlDeviceGetName",
      [&] {
        return with(objects().devices, dev, [&](const MtmlDevice& device) {
          return give(std::string(device.facts.name), name, length);
        });
      },
      dev, static_cast<void*>(name), length);
}

MtmlReturn mtmlDeviceGetPciInfo(const MtmlDevice* dev, MtmlPciInfo* pci) {
  return entry(
      "mtmlDeviceGetPciInfo",
      [&] {
        return with(objects().devices, dev, [&](const MtmlDevice& device) {
          if (!pci) return MTML_ERROR_INVALID_ARGUMENT;
          const MUshimDevice& facts = device.facts;
          *pci = {};
          sbdfText(facts).copy(pci->sbdf, sizeof pci->sbdf - 1);
          pci->segment = static_cast<unsigned int>(facts.pciDomain);
          pci->bus = static_cast<unsigned int>(facts.pciBus);
          pci->device = static_cast<unsigned int>(facts.pciDevice);
          pci->pciDeviceId = facts.pciDeviceId << 16 | facts.pciVendorId;
          pci->pciMaxSpeed = pci->pciCurSpeed = kPciSpeed;
          pci->pciMaxWidth = pci->pciCurWidth = kPciLanes;
          pci->pciMaxGen = pci->pciCurGen = kPciGeneration;
          return MTML_SUCCESS;
        });
      },
      dev, pci);
}

MtmlReturn mtmlDeviceGetProperty(const MtmlDevice* dev, MtmlDeviceProperty* prop) {
  return tell("mtmlDeviceGetProperty", objects().devices, dev, prop, [](const auto& one) {
    MtmlDeviceProperty property{};
    property.mtLinkCap = topology().error.empty() && !topology().links[one.index].empty();
    return property;
  });
}

MtmlReturn mtmlDeviceCountFan(const MtmlDevice* dev, unsigned int* count) {
  return tell("mtmlDeviceCountFan", objects().devices, dev, count, [](const auto&) { return 0; });
}

MtmlReturn mtmlDeviceCountDisplayInterface(const MtmlDevice* dev, unsigned int* count) {
  return tell("mtmlDeviceCountDisplayInterface", objects().devices, dev, count,
              [](const auto&) { return 0; });
}

MtmlReturn mtmlDeviceCountGpuCores(const MtmlDevice* dev, unsigned int* numCores) {
  return tell("mtmlDeviceCountGpuCores", objects().devices, dev, numCores,
              [](const auto& one) { return one.facts.multiprocessors; });
}

MtmlReturn mtmlGpuGetUtilization(const MtmlGpu* gpu, unsigned int* load) {
  return tellLive("mtmlGpuGetUtilization", objects().gpus, gpu, load,
                  [](const auto& one) { return utilization(one.index); });
}

MtmlReturn mtmlGpuGetEngineUtilization(const MtmlGpu* gpu, MtmlGpuEngine engine, unsigned int* load) {
  return entry(
      "mtmlGpuGetEngineUtilization",
      [&] {
        return withLive(objects().gpus, gpu, [&](const MtmlGpu& one) {
          if (static_cast<unsigned int>(engine) >= MTML_GPU_ENGINE_MAX) return MTML_ERROR_INVALID_ARGUMENT;
          return give(engine == MTML_GPU_ENGINE_COMPUTE ? utilization(one.index) : 0, load);
        });
      },
      gpu, engine, load);
}

MtmlReturn mtmlGpuGetClock(const MtmlGpu* gpu, unsigned int* clockMhz) {
  return tellLive("mtmlGpuGetClock", objects().gpus, gpu, clockMhz,
                  [](const auto& one) { return mhz(one.facts.clockKHz); });
}

MtmlReturn mtmlGpuGetMaxClock(const MtmlGpu* gpu, unsigned int* clockMhz) {
  return tell("mtmlGpuGetMaxClock", objects().gpus, gpu, clockMhz,
              [](const auto& one) { return mhz(one.facts.clockKHz); });
}

MtmlReturn mtmlMemoryGetTotal(const MtmlMemory* mem, unsigned long long* total) {
  return tell("mtmlMemoryGetTotal", objects().memories, mem, total,
              [](const auto& one) { return one.facts.boardMemoryBytes; });
}

MtmlReturn mtmlMemoryGetUsed(const MtmlMemory* mem, unsigned long long* used) {
  return tellLive("mtmlMemoryGetUsed", objects().memories, mem, used,
                  [](const auto& one) { return memoryUsed(one.index); });
}

MtmlReturn mtmlMemoryGetUtilization(const MtmlMemory* mem, unsigned int* load) {
  return tellLive("mtmlMemoryGetUtilization", objects().memories, mem, load,
                  [](const auto& one) { return memoryUsed(one.index) * 100 / one.facts.boardMemoryBytes; });
}

MtmlReturn mtmlMemoryGetClock(const MtmlMemory* mem, unsigned int* clockMhz) {
  return tellLive("mtmlMemoryGetClock", objects().memories, mem, clockMhz,
                  [](const auto& one) { return mhz(one.facts.memoryClockKHz); });
}

MtmlReturn mtmlMemoryGetMaxClock(const MtmlMemory* mem, unsigned int* clockMhz) {
  return tell("mtmlMemoryGetMaxClock", objects().memories, mem, clockMhz,
              [](const auto& one) { return mhz(one.facts.memoryClockKHz); });
}

MtmlReturn mtmlMemoryGetBusWidth(const MtmlMemory* mem, unsigned int* busWidth) {
  return tell("mtmlMemoryGetBusWidth", objects().memories, mem, busWidth,
              [](const auto& one) { return one.facts.memoryBusBits; });
}

MtmlReturn mtmlMemoryGetBandwidth(const MtmlMemory* mem, unsigned int* bandwidth) {
  return tell("mtmlMemoryGetBandwidth", objects().memories, mem, bandwidth,
              [](const auto& one) { return gigabytesPerSecond(one.facts); });
}

MtmlReturn mtmlMemoryGetSpeed(const MtmlMemory* mem, unsigned int* speed) {
  return tell("mtmlMemoryGetSpeed", objects().memories, mem, speed,
              [](const auto& one) { return 2 * mhz(one.facts.memoryClockKHz); });
}

// ---- What sensors tell, where a machine's description gives them

MtmlReturn mtmlDeviceGetPowerUsage(const MtmlDevice* dev, unsigned int* power) {
  return entry(
      "mtmlDeviceGetPowerUsage",
      [&] {
        return withLive(objects().devices, dev, [&](const MtmlDevice& one) {
          return one.facts.hasPower ? give(one.facts.milliwatts, power) : MTML_ERROR_NOT_SUPPORTED;
        });
      },
      dev, power);
}

MtmlReturn mtmlGpuGetTemperature(const MtmlGpu* gpu, unsigned int* temp) {
  return entry(
      "mtmlGpuGetTemperature",
      [&] {
        return withLive(objects().gpus, gpu, [&](const MtmlGpu& one) {
          return one.facts.hasTemperature ? give(one.facts.celsius, temp) : MTML_ERROR_NOT_SUPPORTED;
        });
      },
      gpu, temp);
}

MtmlReturn mtmlDeviceGetSerialNumber(const MtmlDevice* dev, unsigned int length, char* serialNumber) {
  return entry(
      "mtmlDeviceGetSerialNumber",
      [&] {
        return with(objects().devices, dev, [&](const MtmlDevice& one) {
          if (one.facts.serial[0] == '\0') return MTML_ERROR_NOT_SUPPORTED;
          return give(std::string(one.facts.serial), serialNumber, length);
        });
      },
      dev, length, static_cast<void*>(serialNumber));
}

MtmlReturn mtmlMemoryGetEccMode(const MtmlMemory* mem, MtmlEccMode* currentMode, MtmlEccMode* pendingMode) {
  return entry(
      "mtmlMemoryGetEccMode",
      [&] {
        return withLive(objects().memories, mem, [&](const MtmlMemory& one) {
          if (!one.facts.hasEcc) return MTML_ERROR_NOT_SUPPORTED;
          const MtmlReturn current = give(MTML_MEMORY_ECC_ENABLE, currentMode);
          return current == MTML_SUCCESS ? give(MTML_MEMORY_ECC_ENABLE, pendingMode) : current;
        });
      },
      mem, currentMode, pendingMode);
}

MtmlReturn mtmlMemoryGetEccErrorCounter(const MtmlMemory* mem, MtmlMemoryErrorType errorType,
                                        MtmlEccCounterType counterType, MtmlMemoryLocation location,
                                        unsigned long long* counter) {
  return entry(
      "mtmlMemoryGetEccErrorCounter",
      [&] {
        return withLive(objects().memories, mem, [&](const MtmlMemory& one) {
          if (!one.facts.hasEcc) return MTML_ERROR_NOT_SUPPORTED;
          const bool isKnown = static_cast<unsigned int>(errorType) < MTML_MEMORY_ERROR_TYPE_COUNT &&
                               static_cast<unsigned int>(counterType) < MTML_ECC_COUNTER_TYPE_COUNT &&
                               location == MTML_MEMORY_LOCATION_DRAM;
          if (!isKnown) return MTML_ERROR_INVALID_ARGUMENT;
          return give(errorType == MTML_MEMORY_ERROR_TYPE_CORRECTED ? one.facts.eccCorrected
                                                                    : one.facts.eccUncorrected,
                      counter);
        });
      },
      mem, errorType, counterType, location, counter);
}

}  // extern "C"
