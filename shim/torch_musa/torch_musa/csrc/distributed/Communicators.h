// The communicators of a group, which its works ask for errors, too.
#pragma once

#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <mccl.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace torch_musa {

// A peer ended, or cannot be reached.
class RemoteError : public c10::DistBackendError {
  using DistBackendError::DistBackendError;
};

}  // namespace torch_musa

// Throws torch.distributed.DistBackendError.
#define MCCL_CHECK(call)                                                                      \
  do {                                                                                        \
    const mcclResult_t result_ = (call);                                                      \
    if (result_ == mcclRemoteError)                                                           \
      throw ::torch_musa::RemoteError({__func__, __FILE__, static_cast<uint32_t>(__LINE__)},  \
                                      c10::str("MCCL error: ", mcclGetErrorString(result_))); \
    if (result_ != mcclSuccess)                                                               \
      C10_THROW_ERROR(DistBackendError,                                                       \
                      c10::str("MCCL error: ", mcclGetErrorString(result_), " (" #call ")")); \
  } while (false)

namespace torch_musa {

class Communicators {
 public:
  // Null if there is none for the device.
  mcclComm_t find(c10::DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    const auto known = all_.find(device);
    return known == all_.end() ? nullptr : known->second;
  }
  void add(c10::DeviceIndex device, mcclComm_t comm) {
    const std::lock_guard lock(mutex_);
    all_[device] = comm;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }
  // All, which are the caller's to end.
  std::map<c10::DeviceIndex, mcclComm_t> take() {
    const std::lock_guard lock(mutex_);
    return std::move(all_);
  }
  // What one of them has met since, as a peer that ended or gave up; empty if all is well.
  std::string error() {
    const std::lock_guard lock(mutex_);
    for (const auto& [device, comm] : all_) {
      mcclResult_t state = mcclSuccess;
      if (mcclCommGetAsyncError(comm, &state) != mcclSuccess || state == mcclSuccess ||
          state == mcclInProgress)
        continue;
      return std::string("MCCL reports: ") + mcclGetErrorString(state);
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::map<c10::DeviceIndex, mcclComm_t> all_;
};

}  // namespace torch_musa
