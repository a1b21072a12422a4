// All that the library asks of libmusart, in its public interface's terms.
#pragma once

#include <musa_runtime_api.h>

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "mccl.h"

namespace musashim::mccl {

// The calling thread's device; -1 when there is none.
int currentDevice();

// The bus id of a device, as all processes know it; empty when there is no such device.
std::string busIdOf(int device);
int capabilityOf(int device);  // major * 10 + minor

// See net/device_memory.h.
void lendDeviceMemory(size_t bytes, const std::function<void(void* memory)>& use);

// Success, or mcclUnhandledMusaError with a message; clears the runtime's last error as NCCL does.
mcclResult_t checkMusa(musaError_t error, const char* call);

// Makes `device` current until the end of the scope, then the one that was.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  mcclResult_t result() const { return result_; }

 private:
  int previous_ = -1;
  bool changed_ = false;
  mcclResult_t result_ = mcclSuccess;
};

// Whether `stream`, of `device`, records a graph.
mcclResult_t isCapturing(int device, musaStream_t stream, bool& capturing);

// What the calling thread asks during the scope is no offence against captures of other streams.
class RelaxedCapture {
 public:
  RelaxedCapture() { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  void exchange() { (void)musaThreadExchangeStreamCaptureMode(&mode_); }

  musaStreamCaptureMode mode_ = musaStreamCaptureModeRelaxed;
};

// Whether what was queued on the streams of `device` now would have nothing to wait for. May be false though
// it would not. In a RelaxedCapture.
bool areIdle(int device, std::span<const musaStream_t> streams);

// How much has been queued on a stream: while nothing more is, its mark stays the same.
struct StreamMark {
  unsigned long long stream = 0, commands = 0;

  bool operator==(const StreamMark&) const = default;
};

// Nothing where that is not known: of default streams, for one.
std::optional<StreamMark> markOf(musaStream_t stream);

// Queues work on the first of `streams` (of the current device), behind all that is queued on
// any of them now and before all that is queued on any of them later.
mcclResult_t queueWork(std::span<const musaStream_t> streams, musaStreamCallback_t work, void* data);

// The same while the streams record a graph: `work` runs at each launch. `free` gets `data` once the graph
// and all that was made of it are destroyed, or at once on an error.
mcclResult_t captureWork(std::span<const musaStream_t> streams, musaHostFn_t work, void* data,
                         musaHostFn_t free);

// A timing-free event for dependencies, of the device that is current when it is first recorded. Recording or
// destroying it while streams wait for it is legal: they wait for what was recorded before.
class Event {
 public:
  Event() = default;
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  mcclResult_t record(musaStream_t stream);
  mcclResult_t holdBack(musaStream_t stream);
  // What is queued on `after` later waits for what is queued on `before` now.
  mcclResult_t order(musaStream_t before, musaStream_t after);

 private:
  mcclResult_t create();

  musaEvent_t event_ = nullptr;
};

struct StreamGroup {
  int device = 0;
  std::span<const musaStream_t> streams;
  Event* event = nullptr;  // of the device; making one costs as much as using it
};

// Queues `arrive` on the streams of every group but the first, and `run` on the first group's,
// behind all of these; whatever is queued on any of the streams later waits for `run`. Without `arrive`, it
// waits for the first stream alone.
mcclResult_t queueTogether(std::span<const StreamGroup> groups, musaStreamCallback_t arrive,
                           musaStreamCallback_t run, void* data);

// mcclInvalidArgument unless `pointer` is memory that `device` reaches.
mcclResult_t checkDevicePointer(const void* pointer, int device, const char* function, const char* name);

}  // namespace musashim::mccl
