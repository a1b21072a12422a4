// Devices: choice, attributes, limits, reset.
#include <atomic>
#include <bit>
#include <cstdlib>
#include <vector>

#include "crt/cuda_driver_answers.h"
#include "crt/cuda_runtime_answers.h"
#include "musart/api/runtime.h"
#include "musart/device/device_properties.h"
#include "musart/module/program.h"
#include "musart/texture/reference.h"

using namespace musashim::musart;

namespace {

musaError_t getProperties(struct musaDeviceProp* prop, int device, DeviceAttributeCall* ask) {
  return apiCall<Needs::kDriver>(
      "musaGetDeviceProperties",
      [&]() -> musaError_t {
        MUSART_REQUIRE(prop, musaErrorInvalidValue);
        MUSART_TRY(checkDevice(device));
        return deviceProperties(device, *prop, ask);
      },
      prop, device);
}

musaError_t getAttribute(int* value, enum musaDeviceAttr attr, int device, DeviceAttributeCall* ask) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetAttribute",
      [&] { return fromDriver(ask(value, static_cast<MUdevice_attribute>(attr), device)); }, value, attr,
      device);
}

// The device that meets most of what `prop` asks for, the first of equals.
musaError_t chooseDevice(int* device, const struct musaDeviceProp* prop, DeviceAttributeCall* ask) {
  return apiCall<Needs::kDriver>(
      "musaChooseDevice",
      [&]() -> musaError_t {
        MUSART_REQUIRE(device && prop, musaErrorInvalidValue);
        int count = 0, best = -1;
        MUSART_TRY(muDeviceGetCount(&count));
        for (int i = 0; i < count; ++i) {
          struct musaDeviceProp offered;
          MUSART_TRY(deviceProperties(i, offered, ask));
          int score = (offered.major >= prop->major) + (offered.totalGlobalMem >= prop->totalGlobalMem) +
                      (offered.multiProcessorCount >= prop->multiProcessorCount) +
                      (offered.sharedMemPerBlock >= prop->sharedMemPerBlock);
          if (score <= best) continue;
          best = score;
          *device = i;
        }
        return musaSuccess;
      },
      device, prop);
}

}  // namespace

extern "C" {

musaError_t musaDeviceReset(void) {
  return apiCall<Needs::kDriver>("musaDeviceReset", []() -> musaError_t {
    int device = thisThread.device;
    MUcontext current = nullptr;
    if (muCtxGetCurrent(&current) == MUSA_SUCCESS && current) MUSART_TRY(muCtxGetDevice(&device));
    MUSART_TRY(muDevicePrimaryCtxReset(device));
    forgetPrimaryContext(device);
    Program::get().forgetDevice(device);
    References::get().forgetDevice(device);
    thisThread.lastError = musaSuccess;
    return musaSuccess;
  });
}

musaError_t musaDeviceSynchronize(void) {
  return apiCall("musaDeviceSynchronize", [] { return fromDriver(muCtxSynchronize()); });
}

musaError_t musaThreadSynchronize(void) { return musaDeviceSynchronize(); }
musaError_t musaThreadExit(void) { return musaDeviceReset(); }

musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value) {
  return apiCall(
      "musaDeviceSetLimit", [&] { return fromDriver(muCtxSetLimit(static_cast<MUlimit>(limit), value)); },
      limit, value);
}

musaError_t musaDeviceGetLimit(size_t* pValue, enum musaLimit limit) {
  return apiCall(
      "musaDeviceGetLimit", [&] { return fromDriver(muCtxGetLimit(pValue, static_cast<MUlimit>(limit))); },
      pValue, limit);
}

musaError_t musaDeviceGetCacheConfig(enum musaFuncCache* pCacheConfig) {
  return apiCall(
      "musaDeviceGetCacheConfig",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pCacheConfig, musaErrorInvalidValue);
        MUfunc_cache config = MU_FUNC_CACHE_PREFER_NONE;
        MUSART_TRY(muCtxGetCacheConfig(&config));
        *pCacheConfig = static_cast<enum musaFuncCache>(config);
        return musaSuccess;
      },
      pCacheConfig);
}

musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig) {
  return apiCall(
      "musaDeviceSetCacheConfig",
      [&] { return fromDriver(muCtxSetCacheConfig(static_cast<MUfunc_cache>(cacheConfig))); }, cacheConfig);
}

musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig* pConfig) {
  return apiCall(
      "musaDeviceGetSharedMemConfig",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pConfig, musaErrorInvalidValue);
        MUsharedconfig config = MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
        MUSART_TRY(muCtxGetSharedMemConfig(&config));
        *pConfig = static_cast<enum musaSharedMemConfig>(config);
        return musaSuccess;
      },
      pConfig);
}

musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config) {
  return apiCall(
      "musaDeviceSetSharedMemConfig",
      [&] { return fromDriver(muCtxSetSharedMemConfig(static_cast<MUsharedconfig>(config))); }, config);
}

musaError_t musaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return apiCall(
      "musaDeviceGetStreamPriorityRange",
      [&] { return fromDriver(muCtxGetStreamPriorityRange(leastPriority, greatestPriority)); }, leastPriority,
      greatestPriority);
}

musaError_t musaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetByPCIBusId", [&] { return fromDriver(muDeviceGetByPCIBusId(device, pciBusId)); }, device,
      pciBusId);
}

musaError_t musaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetPCIBusId", [&] { return fromDriver(muDeviceGetPCIBusId(pciBusId, len, device)); },
      static_cast<void*>(pciBusId), len, device);
}

musaError_t musaGetDeviceCount(int* count) {
  return apiCall<Needs::kNothing>(
      "musaGetDeviceCount",
      [&]() -> musaError_t {
        MUSART_REQUIRE(count, musaErrorInvalidValue);
        // A forked child has no devices, but is told how many its parent has, as on hardware.
        static std::atomic<int> known{0};
        *count = known.load();
        MUSART_TRY(initializeDriver());
        const MUresult result = muDeviceGetCount(count);
        if (result == MUSA_SUCCESS) known.store(*count);
        if (result == MUSA_ERROR_NOT_INITIALIZED && known.load() != 0) return musaSuccess;
        return fromDriver(result);
      },
      count);
}

musaError_t musaGetDeviceProperties(struct musaDeviceProp* prop, int device) {
  return getProperties(prop, device, muDeviceGetAttribute);
}

musaError_t cudaGetDeviceProperties(struct musaDeviceProp* prop, int device) {
  return getProperties(prop, device, cuDeviceGetAttribute);
}

musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device) {
  return getAttribute(value, attr, device, muDeviceGetAttribute);
}

musaError_t cudaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device) {
  return getAttribute(value, attr, device, cuDeviceGetAttribute);
}

musaError_t musaDeviceGetP2PAttribute(int* value, enum musaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetP2PAttribute",
      [&] {
        return fromDriver(
            muDeviceGetP2PAttribute(value, static_cast<MUdevice_P2PAttribute>(attr), srcDevice, dstDevice));
      },
      value, attr, srcDevice, dstDevice);
}

musaError_t musaChooseDevice(int* device, const struct musaDeviceProp* prop) {
  return chooseDevice(device, prop, muDeviceGetAttribute);
}

musaError_t cudaChooseDevice(int* device, const struct musaDeviceProp* prop) {
  return chooseDevice(device, prop, cuDeviceGetAttribute);
}

musaError_t musaSetDevice(int device) {
  return apiCall<Needs::kDriver>(
      "musaSetDevice",
      [&]() -> musaError_t {
        MUcontext context = nullptr;
        MUSART_TRY(primaryContext(device, context));
        thisThread.device = device;
        if (muCtxSetCurrent(context) == MUSA_SUCCESS) return musaSuccess;
        MUSART_TRY(muCtxSetCurrent(nullptr));  // ended through the driver API
        return bindContext();
      },
      device);
}

musaError_t musaGetDevice(int* device) {
  return apiCall<Needs::kNothing>(
      "musaGetDevice",
      [&]() -> musaError_t {
        MUSART_REQUIRE(device, musaErrorInvalidValue);
        MUresult result = muCtxGetDevice(device);
        if (result != MUSA_ERROR_INVALID_CONTEXT && result != MUSA_ERROR_NOT_INITIALIZED)
          return fromDriver(result);
        MUSART_TRY(initializeDriver());
        *device = thisThread.device;
        return musaSuccess;
      },
      device);
}

musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return apiCall<Needs::kDriver>(
      "musaInitDevice",
      [&]() -> musaError_t {
        MUcontext context = nullptr;
        if (flags & musaInitDeviceFlagsAreValid) MUSART_TRY(muDevicePrimaryCtxSetFlags(device, deviceFlags));
        return primaryContext(device, context);
      },
      device, deviceFlags, flags);
}

musaError_t musaSetValidDevices(int* device_arr, int len) {
  return apiCall<Needs::kDriver>(
      "musaSetValidDevices",
      [&]() -> musaError_t {
        MUSART_REQUIRE(len >= 0 && (device_arr || len == 0), musaErrorInvalidValue);
        for (int i = 0; i < len; ++i) MUSART_TRY(checkDevice(device_arr[i]));
        if (len > 0) thisThread.device = device_arr[0];
        return musaSuccess;
      },
      static_cast<void*>(device_arr), len);
}

musaError_t musaSetDeviceFlags(unsigned int flags) {
  return apiCall<Needs::kDriver>(
      "musaSetDeviceFlags",
      [&]() -> musaError_t {
        MUSART_REQUIRE((flags & ~unsigned{musaDeviceMask}) == 0, musaErrorInvalidValue);
        // The ways to wait exclude each other (recorded on H200, device.flags).
        MUSART_REQUIRE(std::popcount(flags & musaDeviceScheduleMask) <= 1, musaErrorInvalidValue);
        return fromDriver(muDevicePrimaryCtxSetFlags(thisThread.device, flags));
      },
      flags);
}

musaError_t musaGetDeviceFlags(unsigned int* flags) {
  return apiCall(
      "musaGetDeviceFlags",
      [&]() -> musaError_t {
        MUSART_REQUIRE(flags, musaErrorInvalidValue);
        MUSART_TRY(muCtxGetFlags(flags));
        *flags |= musaDeviceMapHost;  // host memory is always mapped
        return musaSuccess;
      },
      flags);
}

}  // extern "C"
