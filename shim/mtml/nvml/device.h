// What NVML's handles stand for, and what its entries do first.
#pragma once

#include <atomic>
#include <string>

#include "mtml/api/entry.h"
#include "mtml/state/machine.h"
#include "mtml/state/topology.h"
#include "nvml.h"

struct nvmlDevice_st {
  unsigned int index;
  MUshimDevice facts;
};

namespace musashim::nvml {

// How often nvmlInit() was called and not taken back.
extern constinit std::atomic<int> users;

// Null where there is no such device.
const nvmlDevice_st* deviceAt(unsigned int index);

inline nvmlReturn_t give(const std::string& text, char* buffer, unsigned int length) {
  if (!buffer) return NVML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size()) return NVML_ERROR_INSUFFICIENT_SIZE;
  text.copy(buffer, text.size());
  buffer[text.size()] = '\0';
  return NVML_SUCCESS;
}

template <class T, class U>
nvmlReturn_t give(U value, T* out) {
  if (!out) return NVML_ERROR_INVALID_ARGUMENT;
  *out = static_cast<T>(value);
  return NVML_SUCCESS;
}

// An entry that needs nvmlInit().
template <class Body, class... Args>
nvmlReturn_t initialized(const char* name, Body&& body, const Args&... args) {
  return mtml::entry(
      name, [&] { return users.load() > 0 ? body() : NVML_ERROR_UNINITIALIZED; }, args...);
}

// An entry about a device.
template <class Body, class... Args>
nvmlReturn_t ofDevice(const char* name, nvmlDevice_t device, Body&& body, const Args&... args) {
  return initialized(
      name,
      [&] {
        for (unsigned int index = 0; const nvmlDevice_st* known = deviceAt(index); ++index) {
          if (known == device) return body(*known);
        }
        return NVML_ERROR_INVALID_ARGUMENT;
      },
      device, args...);
}

// An entry about what only a device that is there can tell.
template <class Body, class... Args>
nvmlReturn_t ofLiveDevice(const char* name, nvmlDevice_t device, Body&& body, const Args&... args) {
  return ofDevice(
      name, device,
      [&](const nvmlDevice_st& one) { return mtml::isLost(one.index) ? NVML_ERROR_GPU_IS_LOST : body(one); },
      args...);
}

// An entry about two of them, once the machine's links are known.
template <class Body, class... Args>
nvmlReturn_t ofDevices(const char* name, nvmlDevice_t device1, nvmlDevice_t device2, Body&& body,
                       const Args&... args) {
  return ofDevice(
      name, device1,
      [&](const nvmlDevice_st& first) {
        if (!mtml::topology().error.empty()) return NVML_ERROR_UNKNOWN;
        for (unsigned int index = 0; const nvmlDevice_st* known = deviceAt(index); ++index) {
          if (known == device2) return body(first, *known);
        }
        return NVML_ERROR_INVALID_ARGUMENT;
      },
      device2, args...);
}

void describePlace(const MUshimDevice& facts, nvmlPciInfo_t& pci);

}  // namespace musashim::nvml
