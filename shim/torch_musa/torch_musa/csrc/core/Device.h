// Devices, streams and events of the MUSA runtime, as PyTorch counts them.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <musa_runtime_api.h>

namespace c10::musa {
// Throws what PyTorch throws for an error of its accelerator's: torch.AcceleratorError from 2.8 on, else
// RuntimeError.
[[noreturn]] void throwError(musaError_t error, const char* expression);
}  // namespace c10::musa
#define C10_MUSA_CHECK(expression)                \
  do {                                            \
    const musaError_t error_ = (expression);      \
    if (error_ != musaSuccess) [[unlikely]]       \
      c10::musa::throwError(error_, #expression); \
  } while (false)
#define C10_MUSA_KERNEL_LAUNCH_CHECK() C10_MUSA_CHECK(musaGetLastError())
#define AT_MUSA_CHECK(expression) C10_MUSA_CHECK(expression)

namespace c10::musa {

constexpr DeviceType kDevice = DeviceType::PrivateUse1;

// 0 if there is no device; never throws.
DeviceIndex device_count() noexcept;
DeviceIndex current_device();
// Whether this process has used a device.
bool used() noexcept;
// Whether its parent had when it was forked: it fails at its first use of one.
bool usedBeforeFork() noexcept;
void set_device(DeviceIndex device);

// The stream of an id: 0 is the default stream, others are of the pools.
musaStream_t nativeStream(const Stream& stream);
Stream currentStream(DeviceIndex device);
void setCurrentStream(const Stream& stream);
Stream newStream(DeviceIndex device, int priority);
// One that another library made, and which must outlive its use here.
Stream externalStream(musaStream_t native, DeviceIndex device);
// One of 32 of the device, in turn.
Stream pooledStream(DeviceIndex device, bool highPriority);

// For the scope; back to the device before.
class DeviceScope {
 public:
  explicit DeviceScope(DeviceIndex device) : before_(current_device()) {
    if (device >= 0 && device != before_) set_device(device);
  }
  ~DeviceScope() { (void)musaSetDevice(before_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  DeviceIndex before_;
};

}  // namespace c10::musa
