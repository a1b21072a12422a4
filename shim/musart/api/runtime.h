// What entries of libmusart share: the call wrapper with the thread's last error, and the
// thread's device. The library stands on the public driver API alone.
#pragma once

#include <atomic>
#include <new>

#include "core/trace.h"
#include "musa.h"
#include "musa_runtime_api.h"

namespace musashim::musart {

// Both APIs number their errors alike.
inline musaError_t fromDriver(MUresult result) { return static_cast<musaError_t>(result); }

const char* errorName(musaError_t error);  // null when unknown
const char* errorText(musaError_t error);

// ---- The calling thread ----

struct ThreadState {
  int device = 0;
  musaError_t lastError = musaSuccess;
  // Of host functions and callbacks that run here: they have an error of their own, for whose
  // thread runs them is not the program's affair.
  musaError_t hostFunctionError = musaSuccess;
};
extern constinit thread_local ThreadState thisThread;

// The last error of the program's thread, or of the host function that runs on it.
musaError_t& lastError();

// Keeps an error for musaGetLastError. "Not ready" is an answer, not an error.
inline void remember(musaError_t error) {
  if (error != musaSuccess && error != musaErrorNotReady) [[unlikely]]
    lastError() = error;
}

// ---- The driver below ----

extern std::atomic<bool> driverReady;
musaError_t initializeDriverNow();

// muInit, once.
inline musaError_t initializeDriver() {
  return driverReady.load(std::memory_order_acquire) ? musaSuccess : initializeDriverNow();
}

// Makes sure that the thread has a current context: the primary one of its device, unless
// the user has set another through the driver API.
musaError_t bindContext();

// The primary context of `device`, retained on first use.
musaError_t primaryContext(int device, MUcontext& context);

// Forgets it, as the driver has ended it.
void forgetPrimaryContext(int device);

musaError_t checkDevice(int device);

// ---- Around every entry ----

enum class Needs {
  kNothing,  // no driver
  kDriver,   // muInit
  kContext,  // a current context
};

template <Needs kNeeds = Needs::kContext, class Body, class... Args>
musaError_t apiCall(const char* name, Body&& body, const Args&... args) {
  auto run = [&]() -> musaError_t {
    musaError_t error = musaSuccess;
    if constexpr (kNeeds == Needs::kDriver) error = initializeDriver();
    if constexpr (kNeeds == Needs::kContext) error = bindContext();
    if (error != musaSuccess) [[unlikely]]
      return error;
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return musaErrorMemoryAllocation;
    }
  };
  core::RecordedCall recorded("musart", name, args...);
  musaError_t error = run();
  remember(error);
  recorded.end(error);
  if (core::traceEnabled()) [[unlikely]] {
    const char* text = errorName(error);
    core::traceLine("musart", core::formatCall(name, args...), text ? text : "?", {});
  }
  return error;
}

inline MUdeviceptr toDevicePtr(const void* pointer) { return reinterpret_cast<MUdeviceptr>(pointer); }
inline void* toPointer(MUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace musashim::musart

// For driver calls and for our own; leaves the entry with the error.
#define MUSART_TRY(expression)                                       \
  do {                                                               \
    if (auto error_ = (expression); static_cast<int>(error_) != 0) { \
      return static_cast<musaError_t>(error_);                       \
    }                                                                \
  } while (false)

#define MUSART_REQUIRE(condition, error) \
  do {                                   \
    if (!(condition)) [[unlikely]] {     \
      return (error);                    \
    }                                    \
  } while (false)
