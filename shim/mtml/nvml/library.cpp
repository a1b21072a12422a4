// The library itself, the system, and how devices are found.
#include <fmt/core.h>
#include <strings.h>

#include <cstdio>
#include <mutex>
#include <vector>

#include "core/cuda_capability.h"
#include "crt/cuda_driver_answers.h"
#include "mtml/nvml/device.h"

namespace musashim::nvml {

constinit std::atomic<int> users{0};

namespace {

// Of all devices; never destroyed, and the handles' addresses stay.
const std::vector<nvmlDevice_st>& allDevices() {
  static const auto& all = *[] {
    auto* found =
        new std::vector<nvmlDevice_st>(mtml::monitorTable() ? mtml::monitorTable()->deviceCount() : 0);
    for (unsigned int index = 0; index < found->size(); ++index) {
      (*found)[index].index = index;
      mtml::monitorTable()->device(index, &(*found)[index].facts);
    }
    return found;
  }();
  return all;
}

std::string uuidText(const nvmlDevice_st& device) { return "GPU-" + mtml::uuidText(device.facts); }

template <class Test>
nvmlReturn_t find(nvmlDevice_t* device, nvmlReturn_t otherwise, Test&& isWanted) {
  if (!device) return NVML_ERROR_INVALID_ARGUMENT;
  for (const nvmlDevice_st& one : allDevices()) {
    if (!isWanted(one)) continue;
    *device = const_cast<nvmlDevice_t>(&one);  // as the interface has it; nobody writes there
    return NVML_SUCCESS;
  }
  return otherwise;
}

nvmlReturn_t begin() {
  if (!mtml::monitorTable()) return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
  if (allDevices().empty()) return NVML_ERROR_DRIVER_NOT_LOADED;
  if (const std::string& wrong = core::cudaCapability().error; !wrong.empty()) {
    fmt::print(stderr, "musashim: {}\n", wrong);
    return NVML_ERROR_UNKNOWN;
  }
  users.fetch_add(1);
  return NVML_SUCCESS;
}

}  // namespace

const nvmlDevice_st* deviceAt(unsigned int index) {
  return index < allDevices().size() ? &allDevices()[index] : nullptr;
}

}  // namespace musashim::nvml

using namespace musashim::nvml;
namespace mtml = musashim::mtml;

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  return mtml::entry("nvmlInit_v2", [] { return begin(); });
}

nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  return mtml::entry(
      "nvmlInitWithFlags",
      [&] {
        const nvmlReturn_t result = begin();
        if (result != NVML_ERROR_DRIVER_NOT_LOADED || (flags & NVML_INIT_FLAG_NO_GPUS) == 0) return result;
        users.fetch_add(1);
        return NVML_SUCCESS;
      },
      flags);
}

nvmlReturn_t nvmlShutdown() {
  return mtml::entry("nvmlShutdown", [] {
    int count = users.load();
    while (count > 0 && !users.compare_exchange_weak(count, count - 1)) {
    }
    return count > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
  });
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
      return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
      return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_INSUFFICIENT_POWER:
      return "Insufficient External Power";
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_TIMEOUT:
      return "Timeout";
    case NVML_ERROR_IRQ_ISSUE:
      return "Interrupt Request Issue";
    case NVML_ERROR_LIBRARY_NOT_FOUND:
      return "NVML Shared Library Not Found";
    case NVML_ERROR_FUNCTION_NOT_FOUND:
      return "Function Not Found";
    case NVML_ERROR_CORRUPTED_INFOROM:
      return "Corrupted infoROM";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    case NVML_ERROR_RESET_REQUIRED:
      return "GPU requires reset";
    case NVML_ERROR_OPERATING_SYSTEM:
      return "GPU access blocked by the operating system";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
      return "Driver/library version mismatch";
    case NVML_ERROR_IN_USE:
      return "In use by another client";
    case NVML_ERROR_MEMORY:
      return "Insufficient Memory";
    case NVML_ERROR_NO_DATA:
      return "No data";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
      return "Argument version mismatch";
    default:
      return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return initialized(
      "nvmlSystemGetDriverVersion", [&] { return give(mtml::driverVersion(), version, length); },
      static_cast<void*>(version), length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return initialized(
      "nvmlSystemGetNVMLVersion",
      [&] { return give(NVML_API_VERSION_STR "." + mtml::driverVersion(), version, length); },
      static_cast<void*>(version), length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* cudaDriverVersion) {
  return initialized(
      "nvmlSystemGetCudaDriverVersion_v2",
      [&] {
        int version = 0;
        if (cuDriverGetVersion(&version) != MUSA_SUCCESS) return NVML_ERROR_UNKNOWN;
        return give(version, cudaDriverVersion);
      },
      cudaDriverVersion);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char* name, unsigned int length) {
  return initialized(
      "nvmlSystemGetProcessName",
      [&] {
        if (!name || length == 0) return NVML_ERROR_INVALID_ARGUMENT;
        const std::string text = mtml::nameOf(static_cast<int>(pid));
        if (text == std::to_string(pid)) return NVML_ERROR_NOT_FOUND;
        std::snprintf(name, length, "%s", text.c_str());  // cut where there is no room, as documented
        return NVML_SUCCESS;
      },
      pid, static_cast<void*>(name), length);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* deviceCount) {
  return initialized(
      "nvmlDeviceGetCount_v2",
      [&] {
        unsigned int count = 0;
        while (deviceAt(count)) ++count;
        return give(count, deviceCount);
      },
      deviceCount);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return initialized(
      "nvmlDeviceGetHandleByIndex_v2",
      [&] {
        return find(device, NVML_ERROR_INVALID_ARGUMENT,
                    [&](const nvmlDevice_st& one) { return one.index == index; });
      },
      index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return initialized(
      "nvmlDeviceGetHandleByUUID",
      [&] {
        if (!uuid) return NVML_ERROR_INVALID_ARGUMENT;
        return find(device, NVML_ERROR_NOT_FOUND,
                    [&](const nvmlDevice_st& one) { return strcasecmp(uuidText(one).c_str(), uuid) == 0; });
      },
      uuid, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* pciBusId, nvmlDevice_t* device) {
  return initialized(
      "nvmlDeviceGetHandleByPciBusId_v2",
      [&] {
        unsigned int domain = 0, bus = 0, place = 0;
        if (!pciBusId || std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &place) != 3)
          return NVML_ERROR_INVALID_ARGUMENT;
        return find(device, NVML_ERROR_NOT_FOUND, [&](const nvmlDevice_st& one) {
          return one.facts.pciDomain == static_cast<int>(domain) &&
                 one.facts.pciBus == static_cast<int>(bus) && one.facts.pciDevice == static_cast<int>(place);
        });
      },
      pciBusId, device);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return ofDevice(
      "nvmlDeviceGetUUID", device,
      [&](const nvmlDevice_st& one) { return give(uuidText(one), uuid, length); }, static_cast<void*>(uuid),
      length);
}

}  // extern "C"
