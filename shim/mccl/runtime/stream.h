// All that the library asks of libmusart, in its public interface's terms.
#pragma once

#include <musa_runtime_api.h>

#include <span>

#include "mccl.h"

namespace musashim::mccl {

// The calling thread's device; -1 when there is none.
int currentDevice();

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

// mcclInvalidUsage while `stream` records a graph, which is not supported yet.
mcclResult_t checkNotCapturing(musaStream_t stream);

// Queues work on the first of `streams` (of the current device), behind all that is queued on
// any of them now and before all that is queued on any of them later.
mcclResult_t queueWork(std::span<const musaStream_t> streams, musaStreamCallback_t work, void* data);

// mcclInvalidArgument unless `pointer` is memory that `device` reaches.
mcclResult_t checkDevicePointer(const void* pointer, int device, const char* function, const char* name);

}  // namespace musashim::mccl
