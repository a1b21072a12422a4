// What tools see and say of devices: ranges and marks, when a profile begins and ends, how busy a device is.
#include <mttx3/mtToolsExt.h>
#include <musa_profiler_api.h>
#include <nvml.h>
#include <torch/csrc/utils/pybind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "torch_musa/csrc/core/Device.h"

namespace torch_musa {
namespace {

void check(nvmlReturn_t result) { TORCH_CHECK(result == NVML_SUCCESS, nvmlErrorString(result)); }

// NVML's device of one of the runtime's, by its place: the runtime may not see all of them.
nvmlDevice_t managed(int device) {
  static const nvmlReturn_t begun = nvmlInit_v2();
  check(begun);
  char place[32];
  C10_MUSA_CHECK(musaDeviceGetPCIBusId(place, sizeof place, device));
  nvmlDevice_t found = nullptr;
  check(nvmlDeviceGetHandleByPciBusId_v2(place, &found));
  return found;
}

template <class Value, nvmlReturn_t (*get)(nvmlDevice_t, Value*)>
Value asked(int device) {
  Value value{};
  check(get(managed(device), &value));
  return value;
}

// (process, bytes) of those that use the device.
std::vector<std::pair<unsigned int, unsigned long long>> processes(int device) {
  const nvmlDevice_t place = managed(device);
  unsigned int count = 0;
  const nvmlReturn_t first = nvmlDeviceGetComputeRunningProcesses(place, &count, nullptr);
  if (first != NVML_ERROR_INSUFFICIENT_SIZE) check(first);
  count += 16;  // some may come in between
  std::vector<nvmlProcessInfo_t> found(count);
  check(nvmlDeviceGetComputeRunningProcesses(place, &count, found.data()));
  std::vector<std::pair<unsigned int, unsigned long long>> result;
  for (unsigned int i = 0; i < count; ++i) result.emplace_back(found[i].pid, found[i].usedGpuMemory);
  return result;
}

}  // namespace

void bindTools(py::module& m) {
  m.def("range_push", [](const char* message) { return mttxRangePushA(message); });
  m.def("range_pop", [] { return mttxRangePop(); });
  m.def("range_start", [](const char* message) { return mttxRangeStartA(message); });
  m.def("range_end", [](mttxRangeId_t range) { mttxRangeEnd(range); });
  m.def("mark", [](const char* message) { mttxMarkA(message); });
  m.def("profiler_start", [] { return static_cast<int>(musaProfilerStart()); });
  m.def("profiler_stop", [] { return static_cast<int>(musaProfilerStop()); });
  m.def("error_string", [](int error) { return musaGetErrorString(static_cast<musaError_t>(error)); });
  m.def("host_register", [](std::uintptr_t pointer, std::size_t size, unsigned int flags) {
    return static_cast<int>(musaHostRegister(reinterpret_cast<void*>(pointer), size, flags));
  });
  m.def("host_unregister", [](std::uintptr_t pointer) {
    return static_cast<int>(musaHostUnregister(reinterpret_cast<void*>(pointer)));
  });
  m.def("utilization", [](int device) {
    const auto rates = asked<nvmlUtilization_t, nvmlDeviceGetUtilizationRates>(device);
    return std::make_pair(rates.gpu, rates.memory);
  });
  m.def("memory_used", [](int device) { return asked<nvmlMemory_t, nvmlDeviceGetMemoryInfo>(device).used; });
  m.def("power_draw", &asked<unsigned int, nvmlDeviceGetPowerUsage>);
  m.def("temperature", [](int device) {
    unsigned int degrees = 0;
    check(nvmlDeviceGetTemperature(managed(device), NVML_TEMPERATURE_GPU, &degrees));
    return degrees;
  });
  m.def("clock_rate", [](int device) {
    unsigned int megahertz = 0;
    check(nvmlDeviceGetClockInfo(managed(device), NVML_CLOCK_SM, &megahertz));
    return megahertz;
  });
  m.def("processes", &processes);
}

}  // namespace torch_musa
