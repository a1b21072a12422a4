// What every entry of libmusa does around its own work: tracing, the check for muInit,
// Result to MUresult, no exceptions over the C boundary.
#pragma once

#include <new>
#include <span>
#include <vector>

#include "core/trace.h"
#include "musa/api/driver.h"
#include "musa/api/result.h"

namespace musashim::musa {

// True on a thread that runs a function of muLaunchHostFunc, which may not call the API.
extern constinit thread_local bool insideHostFunction;

void traceCall(const std::string& call, const Result& result);

enum class Needs {
  kNothing,
  kDriver,          // muInit, and a thread that does not run a host function
  kDriverAnywhere,  // muInit; the call may come from a host function
};

template <Needs kNeeds = Needs::kDriver, class Body, class... Args>
MUresult apiCall(const char* name, Body&& body, const Args&... args) {
  auto run = [&]() -> Result {
    if constexpr (kNeeds != Needs::kNothing) {
      MUSA_REQUIRE(Driver::get(), MUSA_ERROR_NOT_INITIALIZED, "muInit was not called");
    }
    if constexpr (kNeeds == Needs::kDriver) {
      MUSA_REQUIRE(!insideHostFunction, MUSA_ERROR_NOT_PERMITTED, "called from a host function");
    }
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return {MUSA_ERROR_OUT_OF_MEMORY, "the host is out of memory"};
    }
  };
  core::RecordedCall recorded("musa", name, args...);
  const Result result = run();
  recorded.end(result.code());
  if (core::traceEnabled()) [[unlikely]]
    traceCall(core::formatCall(name, args...), result);
  return result.code();
}

// ---- What entries look up first; errors as the API defines them ----

// The calling thread's stack of contexts.
Context* currentContextOrNull();
void setCurrentContext(Context* context);  // replaces the top; null empties it
void pushCurrentContext(Context* context);
Context* popCurrentContext();  // null when the stack was empty

// The current context; fails when there is none or its device has faulted.
Result currentContext(Context*& context);
// A handle's context; fails when it is not alive.
Result findContext(MUcontext handle, Context*& context);
Result findDevice(MUdevice ordinal, DeviceState*& device);
// What a call does about streams that capture (graph/capture/capture.h).
enum class WhenCapturing {
  kRefuse,   // the call cannot be captured: it fails, and so does the capture
  kCapture,  // the call sees to it, unless the capture was invalidated
  kIgnore,   // capture does not concern the call
};
// Any stream handle: null and the special ones mean streams of the current context.
// Fails when the stream's device has faulted.
Result findStream(MUstream handle, Stream*& stream, WhenCapturing capturing = WhenCapturing::kRefuse);
// A call: runs `body` with the stream of a handle, whether it captures or not.
template <class Body, class... Args>
MUresult withStream(const char* name, MUstream handle, Body&& body, const Args&... args) {
  return apiCall(
      name,
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(handle, stream, WhenCapturing::kIgnore));
        return body(*stream);
      },
      handle, args...);
}

// The stream of many copies, prefetches or discards in one call: any but the legacy default stream.
Result findStreamOfBatch(MUstream handle, Stream*& stream);
Result findEvent(MUevent handle, Event*& event);
Result findFunction(MUfunction handle, Function*& function);
Result findModule(MUmodule handle, Module*& module);

inline void* toPointer(MUdeviceptr address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}
inline MUdeviceptr toDevicePtr(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// After a wait: shows what kernels printed and reports what they did wrong.
Result finishSynchronization(Context& context);

}  // namespace musashim::musa
