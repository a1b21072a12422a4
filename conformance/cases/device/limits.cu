// Limits of the device: stack, printf buffer, heap.
#include "../../framework/observe.h"

CONFORMANCE_CASE("device.limits");

static std::string getPositive(cudaLimit which) {
  size_t value = 0;
  const cudaError_t error = cudaDeviceGetLimit(&value, which);
  return observedText(error) + (value > 0 ? " positive" : " zero");
}

int main() {
  OBSERVE("stack", getPositive(cudaLimitStackSize));
  OBSERVE("printf_buffer", getPositive(cudaLimitPrintfFifoSize));
  OBSERVE("heap", getPositive(cudaLimitMallocHeapSize));

  size_t value = 0;
  OBSERVE("get_null", cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  OBSERVE("get_unknown", cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)));
  OBSERVE("set_unknown", cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  OBSERVE("set_heap", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16u << 20));
  SETUP(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  OBSERVE("heap_at_least_as_set", value >= (16u << 20));
}
