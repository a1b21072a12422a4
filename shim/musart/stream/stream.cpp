// Streams.
#include <memory>

#include "musart/api/runtime.h"

using namespace musashim::musart;

namespace {

// The user's callback takes the runtime's error type.
struct Callback {
  musaStreamCallback_t function;
  void* userData;
};

void runCallback(MUstream stream, MUresult status, void* data) {
  std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  callback->function(stream, fromDriver(status), callback->userData);
}

}  // namespace

extern "C" {

musaError_t musaStreamCreate(musaStream_t* pStream) {
  return apiCall(
      "musaStreamCreate", [&] { return fromDriver(muStreamCreate(pStream, MU_STREAM_DEFAULT)); }, pStream);
}

musaError_t musaStreamCreateWithFlags(musaStream_t* pStream, unsigned int flags) {
  return apiCall(
      "musaStreamCreateWithFlags", [&] { return fromDriver(muStreamCreate(pStream, flags)); }, pStream,
      flags);
}

musaError_t musaStreamCreateWithPriority(musaStream_t* pStream, unsigned int flags, int priority) {
  return apiCall(
      "musaStreamCreateWithPriority",
      [&] { return fromDriver(muStreamCreateWithPriority(pStream, flags, priority)); }, pStream, flags,
      priority);
}

musaError_t musaStreamGetPriority(musaStream_t hStream, int* priority) {
  return apiCall(
      "musaStreamGetPriority", [&] { return fromDriver(muStreamGetPriority(hStream, priority)); }, hStream,
      priority);
}

musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int* flags) {
  return apiCall(
      "musaStreamGetFlags", [&] { return fromDriver(muStreamGetFlags(hStream, flags)); }, hStream, flags);
}

musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long* streamId) {
  return apiCall(
      "musaStreamGetId", [&] { return fromDriver(muStreamGetId(hStream, streamId)); }, hStream, streamId);
}

musaError_t musaStreamDestroy(musaStream_t stream) {
  return apiCall("musaStreamDestroy", [&] { return fromDriver(muStreamDestroy(stream)); }, stream);
}

musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return apiCall(
      "musaStreamWaitEvent", [&] { return fromDriver(muStreamWaitEvent(stream, event, flags)); }, stream,
      event, flags);
}

musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback, void* userData,
                                  unsigned int flags) {
  return apiCall(
      "musaStreamAddCallback",
      [&]() -> musaError_t {
        MUSART_REQUIRE(callback, musaErrorInvalidValue);
        auto data = std::make_unique<Callback>(Callback{callback, userData});
        MUSART_TRY(muStreamAddCallback(stream, runCallback, data.get(), flags));
        data.release();  // runCallback's now
        return musaSuccess;
      },
      stream, callback, userData, flags);
}

musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void* userData) {
  return apiCall(
      "musaLaunchHostFunc", [&] { return fromDriver(muLaunchHostFunc(stream, fn, userData)); }, stream, fn,
      userData);
}

musaError_t musaStreamSynchronize(musaStream_t stream) {
  return apiCall("musaStreamSynchronize", [&] { return fromDriver(muStreamSynchronize(stream)); }, stream);
}

musaError_t musaStreamQuery(musaStream_t stream) {
  return apiCall("musaStreamQuery", [&] { return fromDriver(muStreamQuery(stream)); }, stream);
}

musaError_t musaStreamAttachMemAsync(musaStream_t stream, void* devPtr, size_t length, unsigned int flags) {
  return apiCall(
      "musaStreamAttachMemAsync",
      [&] { return fromDriver(muStreamAttachMemAsync(stream, toDevicePtr(devPtr), length, flags)); }, stream,
      devPtr, length, flags);
}

}  // extern "C"
