// Events that other processes wait for, by a handle of 64 bytes.
#include <torch/csrc/utils/pybind.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Queue.h"

namespace torch_musa {
namespace {

using c10::DeviceIndex;
using c10::musa::DeviceScope;

class SharedEvent {
 public:
  explicit SharedEvent(DeviceIndex device) : device_(device) {
    const DeviceScope scope(device_);
    C10_MUSA_CHECK(musaEventCreateWithFlags(&event_, musaEventDisableTiming | musaEventInterprocess));
  }
  SharedEvent(DeviceIndex device, const std::string& handle) : device_(device) {
    musaIpcEventHandle_t native{};
    TORCH_CHECK_VALUE(handle.size() == sizeof native, "a handle of an event has ", sizeof native,
                      " bytes, this one ", handle.size());
    std::memcpy(&native, handle.data(), sizeof native);
    const DeviceScope scope(device_);
    C10_MUSA_CHECK(musaIpcOpenEventHandle(&event_, native));
  }
  ~SharedEvent() { (void)musaEventDestroy(event_); }
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  void record(const c10::Stream& stream) {
    TORCH_CHECK(stream.device_index() == device_, "Event device ", static_cast<int>(device_),
                " does not match recording stream's device ", static_cast<int>(stream.device_index()), ".");
    const DeviceScope scope(device_);
    C10_MUSA_CHECK(musaEventRecord(event_, c10::musa::nativeStream(stream)));
  }
  void wait(const c10::Stream& stream) const {
    const DeviceScope scope(stream.device_index());
    C10_MUSA_CHECK(musaStreamWaitEvent(c10::musa::nativeStream(stream), event_, 0));
  }
  bool query() const {
    const musaError_t error = musaEventQuery(event_);
    if (error == musaErrorNotReady) return (void)musaGetLastError(), false;
    C10_MUSA_CHECK(error);
    return true;
  }
  void synchronize() const {
    C10_MUSA_CHECK(musaEventSynchronize(event_));
    c10::musa::throwQueued();
  }
  std::string handle() const {
    musaIpcEventHandle_t native{};
    C10_MUSA_CHECK(musaIpcGetEventHandle(&native, event_));
    return {reinterpret_cast<const char*>(&native), sizeof native};
  }
  std::uintptr_t native() const { return reinterpret_cast<std::uintptr_t>(event_); }
  int device() const { return device_; }

 private:
  DeviceIndex device_;
  musaEvent_t event_ = nullptr;
};

c10::Stream streamOf(int64_t id, DeviceIndex device) {
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::musa::kDevice, device), id);
}

}  // namespace

void bindSharedEvents(py::module& m) {
  const py::call_guard<py::gil_scoped_release> waits;
  py::class_<SharedEvent>(m, "SharedEvent")
      .def(py::init<DeviceIndex>())
      .def(py::init([](DeviceIndex device, const py::bytes& handle) {
        return std::make_unique<SharedEvent>(device, std::string(handle));
      }))
      .def("record",
           [](SharedEvent& self, int64_t id, DeviceIndex device) { self.record(streamOf(id, device)); })
      .def("wait",
           [](const SharedEvent& self, int64_t id, DeviceIndex device) { self.wait(streamOf(id, device)); })
      .def("query", &SharedEvent::query, waits)
      .def("synchronize", &SharedEvent::synchronize, waits)
      .def("handle", [](const SharedEvent& self) { return py::bytes(self.handle()); })
      .def_property_readonly("native", &SharedEvent::native)
      .def_property_readonly("device", &SharedEvent::device);
}

}  // namespace torch_musa
