// Memory and events of other processes.
#include <cstring>

#include "musart/api/runtime.h"

using namespace musashim::musart;

namespace {

// The handles of both APIs are the same 64 bytes.
template <class To, class From>
To sameBytes(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

extern "C" {

musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t* handle, void* devPtr) {
  return apiCall(
      "musaIpcGetMemHandle",
      [&]() -> musaError_t {
        MUSART_REQUIRE(handle, musaErrorInvalidValue);
        MUipcMemHandle made;
        MUSART_TRY(muIpcGetMemHandle(&made, toDevicePtr(devPtr)));
        *handle = sameBytes<musaIpcMemHandle_t>(made);
        return musaSuccess;
      },
      handle, devPtr);
}

musaError_t musaIpcOpenMemHandle(void** devPtr, musaIpcMemHandle_t handle, unsigned int flags) {
  return apiCall(
      "musaIpcOpenMemHandle",
      [&]() -> musaError_t {
        MUSART_REQUIRE(devPtr, musaErrorInvalidValue);
        MUdeviceptr address = 0;
        MUSART_TRY(muIpcOpenMemHandle(&address, sameBytes<MUipcMemHandle>(handle), flags));
        *devPtr = toPointer(address);
        return musaSuccess;
      },
      devPtr, flags);
}

musaError_t musaIpcCloseMemHandle(void* devPtr) {
  return apiCall(
      "musaIpcCloseMemHandle", [&] { return fromDriver(muIpcCloseMemHandle(toDevicePtr(devPtr))); }, devPtr);
}

musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t* handle, musaEvent_t event) {
  return apiCall(
      "musaIpcGetEventHandle",
      [&]() -> musaError_t {
        MUSART_REQUIRE(handle, musaErrorInvalidValue);
        MUipcEventHandle made;
        MUSART_TRY(muIpcGetEventHandle(&made, event));
        *handle = sameBytes<musaIpcEventHandle_t>(made);
        return musaSuccess;
      },
      handle, event);
}

musaError_t musaIpcOpenEventHandle(musaEvent_t* event, musaIpcEventHandle_t handle) {
  return apiCall(
      "musaIpcOpenEventHandle",
      [&] { return fromDriver(muIpcOpenEventHandle(event, sameBytes<MUipcEventHandle>(handle))); }, event);
}

}  // extern "C"
