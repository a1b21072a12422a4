#include "musart/api/runtime.h"

#include <atomic>
#include <mutex>

#include "core/error_table.h"

namespace musashim::musart {
namespace {

constexpr core::ErrorRow kErrors[] = {
#include "musart_errors.inc"
};

const core::ErrorRow* findError(musaError_t error) {
  return core::findError(kErrors, static_cast<int>(error));
}

constexpr int kMaxDevices = 256;
std::atomic<MUcontext> primaryContexts[kMaxDevices];
std::mutex primaryMutex;

}  // namespace

constinit thread_local ThreadState thisThread;

// The driver refuses host functions, whatever they ask.
musaError_t& lastError() {
  MUcontext context = nullptr;
  const bool inside = muCtxGetCurrent(&context) == MUSA_ERROR_NOT_PERMITTED;
  return inside ? thisThread.hostFunctionError : thisThread.lastError;
}

const char* errorName(musaError_t error) {
  const core::ErrorRow* row = findError(error);
  return row ? row->name : nullptr;
}

const char* errorText(musaError_t error) {
  const core::ErrorRow* row = findError(error);
  return row ? row->text : nullptr;
}

constinit std::atomic<bool> driverReady{false};

musaError_t initializeDriverNow() {
  MUresult result = muInit(0);
  if (result == MUSA_SUCCESS) driverReady.store(true, std::memory_order_release);
  return fromDriver(result);
}

musaError_t checkDevice(int device) {
  MUdevice found = 0;
  return fromDriver(muDeviceGet(&found, device));
}

musaError_t primaryContext(int device, MUcontext& context) {
  MUSART_TRY(checkDevice(device));
  MUSART_REQUIRE(device < kMaxDevices, musaErrorInvalidDevice);
  context = primaryContexts[device].load(std::memory_order_acquire);
  if (context) return musaSuccess;
  std::lock_guard lock(primaryMutex);
  context = primaryContexts[device].load();
  if (context) return musaSuccess;
  MUSART_TRY(muDevicePrimaryCtxRetain(&context, device));
  primaryContexts[device].store(context, std::memory_order_release);
  return musaSuccess;
}

void forgetPrimaryContext(int device) {
  std::lock_guard lock(primaryMutex);
  primaryContexts[device].store(nullptr);
}

musaError_t bindContext() {
  MUcontext current = nullptr;
  if (muCtxGetCurrent(&current) == MUSA_SUCCESS && current) [[likely]]
    return musaSuccess;
  MUSART_TRY(initializeDriver());
  MUSART_TRY(primaryContext(thisThread.device, current));
  MUresult result = muCtxSetCurrent(current);
  if (result == MUSA_ERROR_INVALID_CONTEXT) {  // the driver API was used to reset it
    forgetPrimaryContext(thisThread.device);
    MUSART_TRY(primaryContext(thisThread.device, current));
    result = muCtxSetCurrent(current);
  }
  return fromDriver(result);
}

}  // namespace musashim::musart
