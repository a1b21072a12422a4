// The contexts that a device's users share.
#include "musa/api/api_call.h"

using namespace musashim::musa;

extern "C" {

MUresult muDevicePrimaryCtxRetain(MUcontext* pctx, MUdevice dev) {
  return apiCall(
      "muDevicePrimaryCtxRetain",
      [&]() -> Result {
        MUSA_REQUIRE(pctx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        *pctx = device->retainPrimary()->handle();
        return {};
      },
      pctx, dev);
}

MUresult muDevicePrimaryCtxRelease(MUdevice dev) {
  return apiCall(
      "muDevicePrimaryCtxRelease",
      [&]() -> Result {
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        return device->releasePrimary();
      },
      dev);
}

MUresult muDevicePrimaryCtxSetFlags(MUdevice dev, unsigned int flags) {
  return apiCall(
      "muDevicePrimaryCtxSetFlags",
      [&]() -> Result {
        MUSA_TRY(checkContextFlags(flags));
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        device->primaryFlags = flags;
        return {};
      },
      dev, flags);
}

MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int* flags, int* active) {
  return apiCall(
      "muDevicePrimaryCtxGetState",
      [&]() -> Result {
        MUSA_REQUIRE(flags && active, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        *flags = device->primaryFlags;
        *active = device->primaryActive();
        return {};
      },
      dev, flags, active);
}

MUresult muDevicePrimaryCtxReset(MUdevice dev) {
  return apiCall(
      "muDevicePrimaryCtxReset",
      [&]() -> Result {
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        device->resetPrimary();
        return {};
      },
      dev);
}

}  // extern "C"
