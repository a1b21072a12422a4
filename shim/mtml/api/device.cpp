// What is told of a device, its compute part and its memory.
#include "mtml/api/tell.h"
#include "mtml/state/topology.h"

using namespace musashim::mtml;

namespace {

// PCI Express 4.0 with 16 lanes, by the data sheet of the S4000; libmccl places devices so as well.
constexpr float kPciSpeed = 16;
constexpr unsigned int kPciLanes = 16, kPciGeneration = 4;

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
  return tellText("mtmlDeviceGetUUID", objects().devices, dev, uuid, length,
                  [](const auto& one) { return uuidText(one.facts); });
}

MtmlReturn mtmlDeviceGetBrand(const MtmlDevice* dev, MtmlBrandType* type) {
  return tell("mtmlDeviceGetBrand", objects().devices, dev, type, [](const auto&) { return MTML_BRAND_MTT; });
}

MtmlReturn mtmlDeviceGetName(const MtmlDevice* dev, char* name, unsigned int length) {
  return tellText("mtmlDeviceGetName", objects().devices, dev, name, length,
                  [](const auto& one) { return std::string(one.facts.name); });
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
          // Of the vendor's cards both are the same.
          pci->pciDeviceId = pci->pciSubsystemId = facts.pciDeviceId << 16 | facts.pciVendorId;
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

// What a device has it has by the processes that use it: without them nothing is left to reset.
MtmlReturn mtmlDeviceReset(const MtmlDevice* dev) {
  return entry(
      "mtmlDeviceReset",
      [&] {
        return withLive(objects().devices, dev, [](const MtmlDevice& one) {
          return processesOn(one.index).empty() ? MTML_SUCCESS : MTML_ERROR_RESOURCE_IS_BUSY;
        });
      },
      dev);
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

}  // extern "C"
