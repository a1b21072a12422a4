// Two processes on different devices: memory of the one device in a process that uses the other.
// requires: devices>=2
#include "../../framework/buffers.h"
#include "../../framework/processes.h"

CONFORMANCE_CASE("ipc.devices");

static __global__ void addOne(int* values) { values[threadIdx.x] += 1; }

struct Findings {
  cudaError_t open, attributes, kernel, copy, enableAfter, close, fill;
  int device, canAccess;
};

static int child() {
  Connection parent = parentProcess();
  const cudaIpcMemHandle_t handle = parent.receive<cudaIpcMemHandle_t>();
  Findings found = {};
  SETUP(cudaSetDevice(1));
  int* memory = nullptr;
  found.open =
      cudaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), handle, cudaIpcMemLazyEnablePeerAccess);
  SETUP(found.open);
  cudaPointerAttributes attributes = {};
  found.attributes = cudaPointerGetAttributes(&attributes, memory);
  found.device = attributes.device;
  SETUP(cudaDeviceCanAccessPeer(&found.canAccess, 1, 0));
  addOne<<<1, 64>>>(memory);
  found.kernel = cudaDeviceSynchronize();
  DeviceArray<int> local(64);
  found.copy = cudaMemcpy(local.data(), memory, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  addOne<<<1, 64>>>(local.data());
  SETUP(cudaMemcpy(memory, local.data(), 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  found.fill = cudaMemset(memory, 0, 4);
  SETUP(cudaDeviceSynchronize());
  found.enableAfter = cudaDeviceEnablePeerAccess(0, 0);
  (void)cudaGetLastError();
  found.close = cudaIpcCloseMemHandle(memory);
  parent.send(found);
  return parent.receive<char>() == 'q' ? 0 : 1;
}

int main(int argc, char**) {
  if (argc > 1) return child();
  Child other("child");
  SETUP(cudaSetDevice(0));
  DeviceArray<int> memory(64);
  SETUP(cudaDeviceSynchronize());
  cudaIpcMemHandle_t handle;
  OBSERVE("get", cudaIpcGetMemHandle(&handle, memory.data()));
  SETUP(cudaSetDevice(1));
  cudaIpcMemHandle_t fromOther;
  OBSERVE("get_on_other_device", cudaIpcGetMemHandle(&fromOther, memory.data()));
  SETUP(cudaSetDevice(0));
  other.send(handle);
  const Findings found = other.receive<Findings>();
  OBSERVE("open", found.open);
  OBSERVE("attributes", found.attributes);
  OBSERVE("device", found.device);
  OBSERVE("can_access", found.canAccess);
  OBSERVE("kernel", found.kernel);
  OBSERVE("copy", found.copy);
  OBSERVE("fill", found.fill);
  OBSERVE("enable_after", found.enableAfter);
  OBSERVE("close", found.close);
  const std::vector<int> seen = memory.read();
  OBSERVE("values", joined(std::vector<int>(seen.begin(), seen.begin() + 4)));
  other.send('q');
  OBSERVE("child", other.join());
}
