// Times of the devices for PyTorch's profiler: an event on the current stream where an operator begins and
// one where it ends.
#include <c10/util/ApproximateClock.h>
#include <torch/csrc/profiler/stubs/base.h>

#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {
namespace {

using torch::profiler::impl::ProfilerVoidEventStub;

struct Stubs final : torch::profiler::impl::ProfilerStubs {
  bool enabled() const override { return true; }

  void record(DeviceIndex* device, ProfilerVoidEventStub* event, int64_t* nanoseconds) const override {
    const DeviceIndex current = current_device();
    if (device != nullptr) *device = current;
    musaEvent_t made = nullptr;
    C10_MUSA_CHECK(musaEventCreate(&made));
    *event = ProfilerVoidEventStub(
        made, [](void* gone) { (void)musaEventDestroy(static_cast<musaEvent_t>(gone)); });
    if (nanoseconds != nullptr) *nanoseconds = c10::getTime();
    C10_MUSA_CHECK(musaEventRecord(made, nativeStream(currentStream(current))));
  }

  // In microseconds.
  float elapsed(const ProfilerVoidEventStub* first, const ProfilerVoidEventStub* second) const override {
    const auto begin = static_cast<musaEvent_t>(first->get()), end = static_cast<musaEvent_t>(second->get());
    C10_MUSA_CHECK(musaEventSynchronize(begin));
    C10_MUSA_CHECK(musaEventSynchronize(end));
    float milliseconds = 0;
    C10_MUSA_CHECK(musaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds * 1000;
  }

  void onEachDevice(std::function<void(int)> visit) const override {
    for (DeviceIndex device = 0; device < device_count(); ++device) {
      const DeviceScope on(device);
      visit(device);
    }
  }
  void synchronize() const override { C10_MUSA_CHECK(musaDeviceSynchronize()); }

  // Ranges are asked of the tools of other makers alone.
  void mark(const char* /*name*/) const override {}
  void rangePush(const char* /*name*/) const override {}
  void rangePop() const override {}
};

struct Registration {
  Registration() {
    static Stubs stubs;
    torch::profiler::impl::registerPrivateUse1Methods(&stubs);
  }
};
const Registration kRegistration;

}  // namespace
}  // namespace c10::musa
