// What PyTorch asks of a backend's devices, streams and events.
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Queue.h"
#include "torch_musa/csrc/core/SyncDebug.h"

namespace c10::musa {
namespace {

struct GuardImpl final : impl::DeviceGuardImplInterface {
  DeviceType type() const override { return kDevice; }
  Device exchangeDevice(Device device) const override {
    const Device before = getDevice();
    if (device.index() != before.index()) set_device(device.index());
    return before;
  }
  Device getDevice() const override { return {kDevice, current_device()}; }
  void setDevice(Device device) const override { set_device(device.index()); }
  void uncheckedSetDevice(Device device) const noexcept override { (void)musaSetDevice(device.index()); }
  DeviceIndex deviceCount() const noexcept override { return device_count(); }

  Stream getStream(Device device) const override { return currentStream(device.index()); }
  Stream getDefaultStream(Device device) const override {
    return Stream(Stream::DEFAULT, {kDevice, device.index() < 0 ? current_device() : device.index()});
  }
  Stream getStreamFromGlobalPool(Device device, bool highPriority) const override {
    return pooledStream(device.index(), highPriority);
  }
  Stream getNewStream(Device device, int priority) const override {
    return newStream(device.index(), priority);
  }
  Stream exchangeStream(Stream stream) const override {
    const Stream before = currentStream(stream.device_index());
    setCurrentStream(stream);
    return before;
  }
  // PyTorch asks for it from 2.10 on.
  void* getStreamNativeHandle(const Stream stream) const { return nativeStream(stream); }
  bool queryStream(const Stream& stream) const override {
    const musaError_t error = musaStreamQuery(nativeStream(stream));
    if (error == musaErrorNotReady) return (void)musaGetLastError(), false;
    C10_MUSA_CHECK(error);
    return true;
  }
  void synchronizeStream(const Stream& stream) const override {
    tellSynchronizing();
    const DeviceScope scope(stream.device_index());
    C10_MUSA_CHECK(musaStreamSynchronize(nativeStream(stream)));
    throwQueued();
  }
  void synchronizeDevice(const DeviceIndex device) const override {
    const DeviceScope scope(device);
    C10_MUSA_CHECK(musaDeviceSynchronize());
    throwQueued();
  }

  void record(void** event, const Stream& stream, const DeviceIndex device,
              const EventFlag flag) const override {
    TORCH_CHECK(device == -1 || device == stream.device_index(), "the event was made for device ", device,
                ", the stream is of device ", stream.device_index());
    const DeviceScope scope(stream.device_index());
    auto native = static_cast<musaEvent_t>(*event);
    if (native == nullptr) {
      const bool times = flag == EventFlag::BACKEND_DEFAULT;
      C10_MUSA_CHECK(musaEventCreateWithFlags(&native, times ? musaEventDefault : musaEventDisableTiming));
    }
    C10_MUSA_CHECK(musaEventRecord(native, nativeStream(stream)));
    *event = native;
  }
  void block(void* event, const Stream& stream) const override {
    if (event == nullptr) return;
    const DeviceScope scope(stream.device_index());
    C10_MUSA_CHECK(musaStreamWaitEvent(nativeStream(stream), static_cast<musaEvent_t>(event), 0));
  }
  bool queryEvent(void* event) const override {
    if (event == nullptr) return true;
    const musaError_t error = musaEventQuery(static_cast<musaEvent_t>(event));
    if (error == musaErrorNotReady) return (void)musaGetLastError(), false;
    C10_MUSA_CHECK(error);
    return true;
  }
  void synchronizeEvent(void* event) const override {
    if (event != nullptr) C10_MUSA_CHECK(musaEventSynchronize(static_cast<musaEvent_t>(event)));
    throwQueued();
  }
  void destroyEvent(void* event, const DeviceIndex /*device*/) const noexcept override {
    if (event != nullptr) (void)musaEventDestroy(static_cast<musaEvent_t>(event));
  }
  double elapsedTime(void* first, void* second, const DeviceIndex device) const override {
    TORCH_CHECK(first != nullptr && second != nullptr,
                "Both events must be recorded before calculating elapsed time.");
    const DeviceScope scope(device);
    float milliseconds = 0;
    C10_MUSA_CHECK(musaEventElapsedTime(&milliseconds, static_cast<musaEvent_t>(first),
                                        static_cast<musaEvent_t>(second)));
    return milliseconds;
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, GuardImpl);

}  // namespace
}  // namespace c10::musa
