// Which processors are near a device, and keeping a thread on them.
#include <sched.h>

#include <algorithm>

#include "mtml/nvml/device.h"

using namespace musashim::nvml;
namespace mtml = musashim::mtml;

namespace {

nvmlReturn_t bind(const cpu_set_t& cpus) {
  return sched_setaffinity(0, sizeof cpus, &cpus) == 0 ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int cpuSetSize, unsigned long* cpuSet) {
  return ofDevice(
      "nvmlDeviceGetCpuAffinity", device,
      [&](const nvmlDevice_st& one) {
        if (!cpuSet || cpuSetSize == 0) return NVML_ERROR_INVALID_ARGUMENT;
        if (!mtml::topology().error.empty()) return NVML_ERROR_UNKNOWN;
        constexpr size_t kBits = 8 * sizeof *cpuSet;
        std::fill_n(cpuSet, cpuSetSize, 0ul);
        for (const int cpu : mtml::topology().cpus[one.index]) {
          const auto number = static_cast<size_t>(cpu);
          if (number / kBits < cpuSetSize) cpuSet[number / kBits] |= 1ul << number % kBits;
        }
        return NVML_SUCCESS;
      },
      cpuSetSize, cpuSet);
}

// As NVML 8 and later have it, of the calling thread alone.
nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device) {
  return ofDevice("nvmlDeviceSetCpuAffinity", device, [&](const nvmlDevice_st& one) {
    if (!mtml::topology().error.empty()) return NVML_ERROR_UNKNOWN;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (const int cpu : mtml::topology().cpus[one.index]) {
      if (cpu < CPU_SETSIZE) CPU_SET(cpu, &cpus);
    }
    return bind(cpus);
  });
}

nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device) {
  return ofDevice("nvmlDeviceClearCpuAffinity", device, [&](const nvmlDevice_st&) {
    cpu_set_t cpus;
    std::fill_n(reinterpret_cast<unsigned char*>(&cpus), sizeof cpus,
                0xff);  // the kernel takes those that there are
    return bind(cpus);
  });
}
