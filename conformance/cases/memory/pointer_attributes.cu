// What the runtime knows about a pointer.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.pointer_attributes");

static std::string described(const void* pointer) {
  cudaPointerAttributes attributes;
  const cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
  if (error != cudaSuccess) return observedText(error);
  const char* type = "?";
  switch (attributes.type) {
    case cudaMemoryTypeUnregistered:
      type = "unregistered";
      break;
    case cudaMemoryTypeHost:
      type = "host";
      break;
    case cudaMemoryTypeDevice:
      type = "device";
      break;
    case cudaMemoryTypeManaged:
      type = "managed";
      break;
  }
  std::string text = type;
  text += attributes.devicePointer == pointer ? " device_pointer_same" : " device_pointer_other";
  text += attributes.hostPointer == pointer ? " host_pointer_same" : " host_pointer_other";
  return text;
}

int main() {
  char* device = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&device), 4096));
  OBSERVE("device", described(device));
  OBSERVE("device_inside", described(device + 100));
  char* host = nullptr;
  SETUP(cudaHostAlloc(reinterpret_cast<void**>(&host), 4096, cudaHostAllocDefault));
  OBSERVE("host", described(host));
  OBSERVE("host_inside", described(host + 100));
  char* managed = nullptr;
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&managed), 4096));
  OBSERVE("managed", described(managed));
  int onStack = 0;
  OBSERVE("unregistered", described(&onStack).substr(0, 12));
  OBSERVE("null_attributes", cudaPointerGetAttributes(nullptr, device));
  cudaPointerAttributes attributes;
  SETUP(cudaPointerGetAttributes(&attributes, device));
  OBSERVE("device_number", attributes.device);
  SETUP(cudaFree(device));
  OBSERVE("after_free", described(device).substr(0, 12));
}
