// What a board tells of itself: sensors, limits, firmware, and memory that corrects errors.
#include "mtml/state/sensors.h"

#include "mtml/nvml/device.h"

using namespace musashim::nvml;
namespace mtml = musashim::mtml;

namespace {

// An entry that gives the power limit, which cannot be changed.
nvmlReturn_t tellLimit(const char* name, nvmlDevice_t device, unsigned int* limit) {
  return ofLiveDevice(
      name, device, [&](const nvmlDevice_st& one) { return give(one.facts.powerLimitMilliwatts, limit); },
      limit);
}

nvmlReturn_t fanSpeed(const nvmlDevice_st& one, unsigned int fan, unsigned int* speed) {
  if (one.facts.fans == 0) return NVML_ERROR_NOT_SUPPORTED;
  if (fan >= one.facts.fans) return NVML_ERROR_INVALID_ARGUMENT;
  return give(mtml::fanPercent(one.index, one.facts), speed);
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType,
                                      unsigned int* temp) {
  return ofLiveDevice(
      "nvmlDeviceGetTemperature", device,
      [&](const nvmlDevice_st& one) {
        if (sensorType != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
        return give(mtml::celsius(one.index, one.facts), temp);
      },
      sensorType, temp);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
  return ofLiveDevice(
      "nvmlDeviceGetPowerUsage", device,
      [&](const nvmlDevice_st& one) { return give(mtml::milliwatts(one.index, one.facts), power); }, power);
}

nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return ofDevice(
      "nvmlDeviceGetPowerManagementMode", device,
      [&](const nvmlDevice_st&) { return give(NVML_FEATURE_ENABLED, mode); }, mode);
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int* limit) {
  return tellLimit("nvmlDeviceGetPowerManagementLimit", device, limit);
}

nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int* defaultLimit) {
  return tellLimit("nvmlDeviceGetPowerManagementDefaultLimit", device, defaultLimit);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* limit) {
  return tellLimit("nvmlDeviceGetEnforcedPowerLimit", device, limit);
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int* minLimit,
                                                          unsigned int* maxLimit) {
  return ofLiveDevice(
      "nvmlDeviceGetPowerManagementLimitConstraints", device,
      [&](const nvmlDevice_st& one) {
        const nvmlReturn_t result = give(one.facts.powerLimitMilliwatts, minLimit);
        return result == NVML_SUCCESS ? give(one.facts.powerLimitMilliwatts, maxLimit) : result;
      },
      minLimit, maxLimit);
}

nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned int* numFans) {
  return ofDevice(
      "nvmlDeviceGetNumFans", device, [&](const nvmlDevice_st& one) { return give(one.facts.fans, numFans); },
      numFans);
}

nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int* speed) {
  return ofLiveDevice(
      "nvmlDeviceGetFanSpeed", device, [&](const nvmlDevice_st& one) { return fanSpeed(one, 0, speed); },
      speed);
}

nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int fan, unsigned int* speed) {
  return ofLiveDevice(
      "nvmlDeviceGetFanSpeed_v2", device, [&](const nvmlDevice_st& one) { return fanSpeed(one, fan, speed); },
      fan, speed);
}

nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char* version, unsigned int length) {
  return ofDevice(
      "nvmlDeviceGetVbiosVersion", device,
      [&](const nvmlDevice_st& one) { return give(std::string(one.facts.mtbios), version, length); },
      static_cast<void*>(version), length);
}

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned int length) {
  return ofDevice(
      "nvmlDeviceGetSerial", device,
      [&](const nvmlDevice_st& one) { return give(std::string(one.facts.serial), serial, length); },
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
