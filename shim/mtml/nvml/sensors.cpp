// What sensors tell, where a machine's description gives them.
#include "mtml/nvml/device.h"

using namespace musashim::nvml;

extern "C" {

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType,
                                      unsigned int* temp) {
  return ofLiveDevice(
      "nvmlDeviceGetTemperature", device,
      [&](const nvmlDevice_st& one) {
        if (sensorType != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
        return one.facts.hasTemperature ? give(one.facts.celsius, temp) : NVML_ERROR_NOT_SUPPORTED;
      },
      sensorType, temp);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
  return ofLiveDevice(
      "nvmlDeviceGetPowerUsage", device,
      [&](const nvmlDevice_st& one) {
        return one.facts.hasPower ? give(one.facts.milliwatts, power) : NVML_ERROR_NOT_SUPPORTED;
      },
      power);
}

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned int length) {
  return ofDevice(
      "nvmlDeviceGetSerial", device,
      [&](const nvmlDevice_st& one) {
        if (one.facts.serial[0] == '\0') return NVML_ERROR_NOT_SUPPORTED;
        return give(std::string(one.facts.serial), serial, length);
      },
      static_cast<void*>(serial), length);
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                  nvmlEnableState_t* pending) {
  return ofLiveDevice(
      "nvmlDeviceGetEccMode", device,
      [&](const nvmlDevice_st& one) {
        if (!one.facts.hasEcc) return NVML_ERROR_NOT_SUPPORTED;
        const nvmlReturn_t result = give(NVML_FEATURE_ENABLED, current);
        return result == NVML_SUCCESS ? give(NVML_FEATURE_ENABLED, pending) : result;
      },
      current, pending);
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t errorType,
                                         nvmlEccCounterType_t counterType, unsigned long long* eccCounts) {
  return ofLiveDevice(
      "nvmlDeviceGetTotalEccErrors", device,
      [&](const nvmlDevice_st& one) {
        if (!one.facts.hasEcc) return NVML_ERROR_NOT_SUPPORTED;
        if (static_cast<unsigned int>(errorType) > NVML_MEMORY_ERROR_TYPE_UNCORRECTED ||
            static_cast<unsigned int>(counterType) > NVML_AGGREGATE_ECC)
          return NVML_ERROR_INVALID_ARGUMENT;
        return give(
            errorType == NVML_MEMORY_ERROR_TYPE_CORRECTED ? one.facts.eccCorrected : one.facts.eccUncorrected,
            eccCounts);
      },
      errorType, counterType, eccCounts);
}

}  // extern "C"
