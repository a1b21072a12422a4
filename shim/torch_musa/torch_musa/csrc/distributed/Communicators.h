// The communicators of a group, which its works ask for errors, too.
#pragma once

#include <c10/util/Exception.h>
#include <mccl.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

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
  // For the ranks of a scope (Attendance::name) and the caller's device; null if there is none.
  mcclComm_t find(const std::string& scope, int device) {
    const std::lock_guard lock(mutex_);
    const auto known = all_.find({scope, device});
    return known == all_.end() ? nullptr : known->second;
  }
  void add(const std::string& scope, int device, mcclComm_t comm) {
    const std::lock_guard lock(mutex_);
    all_[{scope, device}] = comm;
  }
  std::size_t countOf(const std::string& scope) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [where, comm] : all_) count += where.first == scope ? 1 : 0;
    return count;
  }
  // By scope and device.
  using All = std::map<std::pair<std::string, int>, mcclComm_t>;
  // All, which are the caller's to end.
  All take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(all_, {});
  }
  // What one of them has met since, as a peer that ended or gave up; empty if all is well.
  std::string error() {
    const std::lock_guard lock(mutex_);
    for (const auto& [where, comm] : all_) {
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
  All all_;
};

}  // namespace torch_musa
