// Events for extensions: at::musa::MUSAEvent, made when it is first recorded.
#pragma once

#include <utility>

#include "torch_musa/csrc/core/MUSAGuard.h"
#include "torch_musa/csrc/core/MUSAStream.h"

namespace at::musa {

class MUSAEvent {
 public:
  explicit MUSAEvent(unsigned int flags = musaEventDisableTiming) : flags_(flags) {}
  MUSAEvent(MUSAEvent&& other) noexcept { *this = std::move(other); }
  MUSAEvent& operator=(MUSAEvent&& other) noexcept {
    std::swap(flags_, other.flags_);
    std::swap(device_, other.device_);
    std::swap(event_, other.event_);
    return *this;
  }
  ~MUSAEvent() {
    if (event_ != nullptr) (void)musaEventDestroy(event_);
  }

  bool isCreated() const { return event_ != nullptr; }
  musaEvent_t event() const { return event_; }
  operator musaEvent_t() const { return event_; }
  c10::DeviceIndex device_index() const { return device_; }

  /// Nothing that was recorded is complete.
  bool query() const {
    if (event_ == nullptr) return true;
    const musaError_t error = musaEventQuery(event_);
    if (error == musaErrorNotReady) return false;
    C10_MUSA_CHECK(error);
    return true;
  }

  void record() { record(getCurrentMUSAStream()); }
  void record(const MUSAStream& stream) {
    const c10::musa::MUSAGuard guard(stream.device_index());
    if (event_ == nullptr) {
      device_ = stream.device_index();
      C10_MUSA_CHECK(musaEventCreateWithFlags(&event_, flags_));
    }
    TORCH_CHECK(device_ == stream.device_index(), "Event device ", int{device_},
                " does not match recording stream's device ", int{stream.device_index()}, ".");
    C10_MUSA_CHECK(musaEventRecord(event_, stream.stream()));
  }
  void recordOnce(const MUSAStream& stream) {
    if (event_ == nullptr) record(stream);
  }

  /// What is queued on the stream from now on waits for it.
  void block(const MUSAStream& stream) const {
    if (event_ != nullptr) C10_MUSA_CHECK(musaStreamWaitEvent(stream.stream(), event_, 0));
  }
  void synchronize() const {
    if (event_ != nullptr) C10_MUSA_CHECK(musaEventSynchronize(event_));
  }
  /// Milliseconds; both must have been made with musaEventDefault.
  float elapsed_time(const MUSAEvent& other) const {
    TORCH_CHECK(isCreated() && other.isCreated(),
                "Both events must be recorded before calculating elapsed time.");
    float time = 0;
    C10_MUSA_CHECK(musaEventElapsedTime(&time, event_, other.event_));
    return time;
  }

 private:
  unsigned int flags_ = musaEventDisableTiming;
  c10::DeviceIndex device_ = -1;
  musaEvent_t event_ = nullptr;
};

}  // namespace at::musa
