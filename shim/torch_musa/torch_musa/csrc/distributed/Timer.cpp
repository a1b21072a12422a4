// What DistributedDataParallel measures of its steps, in the devices' time.
#include <map>
#include <torch/csrc/distributed/c10d/reducer_timer.hpp>

#include "torch_musa/csrc/core/Device.h"

namespace torch_musa {
namespace {

class Timer final : public c10d::Timer {
 public:
  explicit Timer(c10::Device device) : device_(device.index()) {}
  ~Timer() override {
    for (const auto& [what, event] : events_) (void)musaEventDestroy(event);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void record(Event what) override {
    c10d::Timer::record(what);  // the host's time, too
    const c10::musa::DeviceScope scope(device_);
    musaEvent_t& event = events_[what];
    if (event == nullptr) C10_MUSA_CHECK(musaEventCreate(&event));
    C10_MUSA_CHECK(musaEventRecord(event, c10::musa::nativeStream(c10::musa::currentStream(device_))));
  }

  // In nanoseconds; none if one has not come, or they came in another order.
  std::optional<int64_t> measureDifference(Event start, Event end) override {
    const auto first = events_.find(start), last = events_.find(end);
    if (first == events_.end() || last == events_.end()) return std::nullopt;
    const c10::musa::DeviceScope scope(device_);
    C10_MUSA_CHECK(musaEventSynchronize(first->second));
    C10_MUSA_CHECK(musaEventSynchronize(last->second));
    float milliseconds = 0;
    C10_MUSA_CHECK(musaEventElapsedTime(&milliseconds, first->second, last->second));
    if (milliseconds < 0) return std::nullopt;
    return static_cast<int64_t>(milliseconds * 1e6F);
  }

 private:
  c10::DeviceIndex device_;
  std::map<Event, musaEvent_t> events_;
};

}  // namespace
}  // namespace torch_musa

namespace c10d {
C10_REGISTER_TYPED_CLASS(TimerRegistry, c10::DeviceType::PrivateUse1, torch_musa::Timer);
}  // namespace c10d
