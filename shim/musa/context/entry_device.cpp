// Devices: count, names, attributes, places, who can reach whom.
#include <fmt/core.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "crt/cuda_driver_answers.h"
#include "musa/api/api_call.h"
#include "musa/context/device_attributes.h"

using namespace musashim::musa;

namespace {

Result attributeOf(MUdevice dev, MUdevice_attribute attrib, Numbering numbering, int* value) {
  MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
  DeviceState* state = nullptr;
  MUSA_TRY(findDevice(dev, state));
  return deviceAttribute(*state, attrib, *value, numbering);
}

Result capabilityOf(MUdevice dev, Numbering numbering, int* major, int* minor) {
  MUSA_REQUIRE(major && minor, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_TRY(attributeOf(dev, MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, numbering, major));
  return attributeOf(dev, MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, numbering, minor);
}

}  // namespace

extern "C" {

MUresult muDeviceGet(MUdevice* device, int ordinal) {
  return apiCall(
      "muDeviceGet",
      [&]() -> Result {
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(ordinal, state));
        *device = ordinal;
        return {};
      },
      device, ordinal);
}

MUresult muDeviceGetCount(int* count) {
  return apiCall(
      "muDeviceGetCount",
      [&]() -> Result {
        MUSA_REQUIRE(count, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *count = static_cast<int>(driver().deviceCount());
        return {};
      },
      count);
}

MUresult muDeviceGetName(char* name, int len, MUdevice dev) {
  return apiCall(
      "muDeviceGetName",
      [&]() -> Result {
        MUSA_REQUIRE(name && len > 0, MUSA_ERROR_INVALID_VALUE, "no buffer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        std::snprintf(name, static_cast<size_t>(len), "%s", state->profile().name.c_str());
        return {};
      },
      static_cast<void*>(name), len, dev);
}

MUresult muDeviceGetUuid(MUuuid* uuid, MUdevice dev) {
  return apiCall(
      "muDeviceGetUuid",
      [&]() -> Result {
        MUSA_REQUIRE(uuid, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        *uuid = state->uuid();
        return {};
      },
      uuid, dev);
}

MUresult muDeviceTotalMem(size_t* bytes, MUdevice dev) {
  return apiCall(
      "muDeviceTotalMem",
      [&]() -> Result {
        MUSA_REQUIRE(bytes, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        *bytes = state->profile().memoryBytes;
        return {};
      },
      bytes, dev);
}

MUresult muDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev) {
  return apiCall(
      "muDeviceGetAttribute", [&] { return attributeOf(dev, attrib, Numbering::kMusa, pi); }, pi, attrib,
      dev);
}

MUresult cuDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev) {
  return apiCall(
      "muDeviceGetAttribute", [&] { return attributeOf(dev, attrib, Numbering::kCuda, pi); }, pi, attrib,
      dev);
}

MUresult muDeviceGetProperties(MUdevprop* prop, MUdevice dev) {
  return apiCall(
      "muDeviceGetProperties",
      [&]() -> Result {
        MUSA_REQUIRE(prop, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        const std::pair<MUdevice_attribute, int*> values[] = {
            {MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &prop->maxThreadsPerBlock},
            {MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &prop->maxThreadsDim[0]},
            {MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &prop->maxThreadsDim[1]},
            {MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &prop->maxThreadsDim[2]},
            {MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &prop->maxGridSize[0]},
            {MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &prop->maxGridSize[1]},
            {MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &prop->maxGridSize[2]},
            {MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &prop->sharedMemPerBlock},
            {MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, &prop->totalConstantMemory},
            {MU_DEVICE_ATTRIBUTE_WARP_SIZE, &prop->SIMDWidth},
            {MU_DEVICE_ATTRIBUTE_MAX_PITCH, &prop->memPitch},
            {MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &prop->regsPerBlock},
            {MU_DEVICE_ATTRIBUTE_CLOCK_RATE, &prop->clockRate},
            {MU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, &prop->textureAlign}};
        for (const auto& [attribute, value] : values) MUSA_TRY(deviceAttribute(*state, attribute, *value));
        return {};
      },
      prop, dev);
}

MUresult muDeviceGetExecAffinitySupport(int* pi, MUexecAffinityType type, MUdevice dev) {
  return apiCall(
      "muDeviceGetExecAffinitySupport",
      [&]() -> Result {
        MUSA_REQUIRE(pi, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(type == MU_EXEC_AFFINITY_TYPE_SM_COUNT, MUSA_ERROR_INVALID_VALUE,
                     "unknown kind of affinity");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        *pi = 0;
        return {};
      },
      pi, type, dev);
}

MUresult muDeviceComputeCapability(int* major, int* minor, MUdevice dev) {
  return apiCall(
      "muDeviceComputeCapability", [&] { return capabilityOf(dev, Numbering::kMusa, major, minor); }, major,
      minor, dev);
}

MUresult cuDeviceComputeCapability(int* major, int* minor, MUdevice dev) {
  return apiCall(
      "muDeviceComputeCapability", [&] { return capabilityOf(dev, Numbering::kCuda, major, minor); }, major,
      minor, dev);
}

MUresult muDeviceGetByPCIBusId(MUdevice* dev, const char* pciBusId) {
  return apiCall(
      "muDeviceGetByPCIBusId",
      [&]() -> Result {
        MUSA_REQUIRE(dev && pciBusId, MUSA_ERROR_INVALID_VALUE, "null pointer");
        int domain = 0, bus = 0, device = 0;
        bool full = std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &device) == 3;
        if (!full) domain = 0;
        MUSA_REQUIRE(full || std::sscanf(pciBusId, "%x:%x", &bus, &device) == 2, MUSA_ERROR_INVALID_VALUE,
                     "not [domain]:[bus]:[device].[function]");
        for (int i = 0; DeviceState* state = driver().device(i); ++i) {
          PciPlace place = state->pci();
          if (place.domain != domain || place.bus != bus || place.device != device) continue;
          *dev = i;
          return {};
        }
        return {MUSA_ERROR_INVALID_DEVICE, pciBusId};
      },
      dev, pciBusId);
}

MUresult muDeviceGetPCIBusId(char* pciBusId, int len, MUdevice dev) {
  return apiCall(
      "muDeviceGetPCIBusId",
      [&]() -> Result {
        MUSA_REQUIRE(pciBusId && len > 0, MUSA_ERROR_INVALID_VALUE, "no buffer");
        DeviceState* state = nullptr;
        MUSA_TRY(findDevice(dev, state));
        PciPlace place = state->pci();
        std::string text = fmt::format("{:04X}:{:02X}:{:02X}.0", place.domain, place.bus, place.device);
        MUSA_REQUIRE(static_cast<size_t>(len) > text.size(), MUSA_ERROR_INVALID_VALUE,
                     "the buffer is too small");
        std::memcpy(pciBusId, text.c_str(), text.size() + 1);
        return {};
      },
      static_cast<void*>(pciBusId), len, dev);
}

MUresult muDeviceCanAccessPeer(int* canAccessPeer, MUdevice dev, MUdevice peerDev) {
  return apiCall(
      "muDeviceCanAccessPeer",
      [&]() -> Result {
        MUSA_REQUIRE(canAccessPeer, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState *from = nullptr, *to = nullptr;
        MUSA_TRY(findDevice(dev, from));
        MUSA_TRY(findDevice(peerDev, to));
        *canAccessPeer = from != to;  // MTLink joins all devices
        return {};
      },
      canAccessPeer, dev, peerDev);
}

MUresult muDeviceGetP2PAttribute(int* value, MUdevice_P2PAttribute attrib, MUdevice srcDevice,
                                 MUdevice dstDevice) {
  return apiCall(
      "muDeviceGetP2PAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState *from = nullptr, *to = nullptr;
        MUSA_TRY(findDevice(srcDevice, from));
        MUSA_TRY(findDevice(dstDevice, to));
        MUSA_REQUIRE(from != to, MUSA_ERROR_INVALID_DEVICE, "the devices are the same");
        switch (attrib) {
          case MU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
            *value = 0;
            return {};
          case MU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
          case MU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
            *value = 1;
            return {};
          case MU_DEVICE_P2P_ATTRIBUTE_MUSA_ARRAY_ACCESS_SUPPORTED:
            *value = 0;
            return {};
        }
        return {MUSA_ERROR_INVALID_VALUE, fmt::format("unknown attribute {}", static_cast<int>(attrib))};
      },
      value, attrib, srcDevice, dstDevice);
}

}  // extern "C"
