// What is told of a device: its kind, its memory, its load, its processes.
#include "mtml/nvml/device.h"

#include <algorithm>

#include "core/cuda_capability.h"
#include "mtml/state/sensors.h"

using namespace musashim::nvml;
namespace mtml = musashim::mtml;

namespace {

// An entry that gives one number.
template <class Value, class Read>
nvmlReturn_t tell(const char* name, nvmlDevice_t device, Value* out, Read&& read) {
  return ofDevice(name, device, [&](const nvmlDevice_st& one) { return give(read(one), out); }, out);
}

nvmlReturn_t tellClock(const char* name, nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return ofDevice(
      name, device,
      [&](const nvmlDevice_st& one) {
        switch (type) {
          case NVML_CLOCK_GRAPHICS:
          case NVML_CLOCK_SM:
            return give(one.facts.clockKHz / 1000, clock);
          case NVML_CLOCK_MEM:
            return give(one.facts.memoryClockKHz / 1000, clock);
          case NVML_CLOCK_VIDEO:
            return give(mtml::kVideoClockMhz, clock);
          default:
            return NVML_ERROR_INVALID_ARGUMENT;
        }
      },
      type, clock);
}

// Of video units, which nothing can use; no period passes by which that is known.
nvmlReturn_t tellVideoLoad(const char* name, nvmlDevice_t device, unsigned int* utilization,
                           unsigned int* samplingPeriodUs) {
  return ofLiveDevice(
      name, device,
      [&](const nvmlDevice_st&) {
        const nvmlReturn_t result = give(0, utilization);
        return result == NVML_SUCCESS ? give(0, samplingPeriodUs) : result;
      },
      utilization, samplingPeriodUs);
}

// NVML's way: `count` says how much room there is, and how much there should be.
template <class Info>
nvmlReturn_t list(const std::vector<MUshimProcess>& processes, unsigned int* count, Info* infos) {
  if (!count || (*count != 0 && !infos)) return NVML_ERROR_INVALID_ARGUMENT;
  const bool fits = processes.size() <= *count;
  for (size_t i = 0; fits && i < processes.size(); ++i) {
    infos[i] = {};
    infos[i].pid = static_cast<unsigned int>(processes[i].process);
    infos[i].usedGpuMemory = processes[i].bytes;
    if constexpr (requires { infos[i].gpuInstanceId; })
      infos[i].gpuInstanceId = infos[i].computeInstanceId = ~0u;  // no parts of devices
  }
  *count = static_cast<unsigned int>(processes.size());
  return fits ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

}  // namespace

namespace musashim::nvml {

void describePlace(const MUshimDevice& facts, nvmlPciInfo_t& pci) {
  pci = {};
  std::snprintf(pci.busIdLegacy, sizeof pci.busIdLegacy, "%04X:%02X:%02X.0", facts.pciDomain & 0xffff,
                facts.pciBus & 0xff, facts.pciDevice & 0xff);
  std::snprintf(pci.busId, sizeof pci.busId, "%08X:%02X:%02X.0", facts.pciDomain, facts.pciBus & 0xff,
                facts.pciDevice & 0xff);
  pci.domain = static_cast<unsigned int>(facts.pciDomain);
  pci.bus = static_cast<unsigned int>(facts.pciBus);
  pci.device = static_cast<unsigned int>(facts.pciDevice);
  pci.pciDeviceId = pci.pciSubSystemId =
      facts.pciDeviceId << 16 | facts.pciVendorId;  // of the vendor's cards both are the same
}

}  // namespace musashim::nvml

extern "C" {

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  return tell("nvmlDeviceGetIndex", device, index, [](const auto& one) { return one.index; });
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* minorNumber) {
  return tell("nvmlDeviceGetMinorNumber", device, minorNumber, [](const auto& one) { return one.index; });
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return ofDevice(
      "nvmlDeviceGetName", device,
      [&](const nvmlDevice_st& one) { return give(std::string(one.facts.name), name, length); },
      static_cast<void*>(name), length);
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* type) {
  return tell("nvmlDeviceGetBrand", device, type, [](const auto&) { return NVML_BRAND_UNKNOWN; });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return ofDevice(
      "nvmlDeviceGetPciInfo_v3", device,
      [&](const nvmlDevice_st& one) {
        if (!pci) return NVML_ERROR_INVALID_ARGUMENT;
        describePlace(one.facts, *pci);
        return NVML_SUCCESS;
      },
      pci);
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  return ofDevice(
      "nvmlDeviceGetCudaComputeCapability", device,
      [&](const nvmlDevice_st&) {
        if (!major || !minor) return NVML_ERROR_INVALID_ARGUMENT;
        const musashim::core::CudaCapability capability = musashim::core::cudaCapability().capability;
        *major = capability.major;
        *minor = capability.minor;
        return NVML_SUCCESS;
      },
      major, minor);
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int* numCores) {
  return tell("nvmlDeviceGetNumGpuCores", device, numCores,
              [](const auto& one) { return one.facts.multiprocessors; });
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return tell("nvmlDeviceGetComputeMode", device, mode, [](const auto&) { return NVML_COMPUTEMODE_DEFAULT; });
}

// A device's state goes with the processes that have it.
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return tell("nvmlDeviceGetPersistenceMode", device, mode,
              [](const auto&) { return NVML_FEATURE_DISABLED; });
}

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* pState) {
  return tell("nvmlDeviceGetPerformanceState", device, pState, [](const auto&) { return NVML_PSTATE_0; });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return ofLiveDevice(
      "nvmlDeviceGetMemoryInfo", device,
      [&](const nvmlDevice_st& one) {
        if (!memory) return NVML_ERROR_INVALID_ARGUMENT;
        const unsigned long long used = mtml::memoryUsed(one.index);
        *memory = {one.facts.boardMemoryBytes, one.facts.boardMemoryBytes - used, used};
        return NVML_SUCCESS;
      },
      memory);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  return ofLiveDevice(
      "nvmlDeviceGetMemoryInfo_v2", device,
      [&](const nvmlDevice_st& one) {
        if (!memory) return NVML_ERROR_INVALID_ARGUMENT;
        if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        const unsigned long long used = mtml::memoryUsed(one.index);
        const unsigned long long reserved = one.facts.boardMemoryBytes - one.facts.memoryBytes;
        *memory = {nvmlMemory_v2, one.facts.boardMemoryBytes, reserved, one.facts.memoryBytes - used, used};
        return NVML_SUCCESS;
      },
      memory);
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int* busWidth) {
  return tell("nvmlDeviceGetMemoryBusWidth", device, busWidth,
              [](const auto& one) { return one.facts.memoryBusBits; });
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  return ofLiveDevice(
      "nvmlDeviceGetUtilizationRates", device,
      [&](const nvmlDevice_st& one) {
        if (!utilization) return NVML_ERROR_INVALID_ARGUMENT;
        utilization->gpu = mtml::utilization(one.index);
        utilization->memory =
            static_cast<unsigned int>(mtml::memoryUsed(one.index) * 100 / one.facts.boardMemoryBytes);
        return NVML_SUCCESS;
      },
      utilization);
}

nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int* utilization,
                                             unsigned int* samplingPeriodUs) {
  return tellVideoLoad("nvmlDeviceGetEncoderUtilization", device, utilization, samplingPeriodUs);
}

nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned int* utilization,
                                             unsigned int* samplingPeriodUs) {
  return tellVideoLoad("nvmlDeviceGetDecoderUtilization", device, utilization, samplingPeriodUs);
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return tellClock("nvmlDeviceGetClockInfo", device, type, clock);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return tellClock("nvmlDeviceGetMaxClockInfo", device, type, clock);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int* infoCount,
                                                  nvmlProcessInfo_v1_t* infos) {
  return ofLiveDevice(
      "nvmlDeviceGetComputeRunningProcesses", device,
      [&](const nvmlDevice_st& one) { return list(mtml::processesOn(one.index), infoCount, infos); },
      infoCount, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* infoCount,
                                                     nvmlProcessInfo_t* infos) {
  return ofLiveDevice(
      "nvmlDeviceGetComputeRunningProcesses_v3", device,
      [&](const nvmlDevice_st& one) { return list(mtml::processesOn(one.index), infoCount, infos); },
      infoCount, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* infoCount,
                                                      nvmlProcessInfo_t* infos) {
  return ofDevice(
      "nvmlDeviceGetGraphicsRunningProcesses_v3", device,
      [&](const nvmlDevice_st&) { return list({}, infoCount, infos); }, infoCount, infos);
}

}  // extern "C"
