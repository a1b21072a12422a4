// A bad address in a kernel: the error sticks to the device, and only to it.
// requires: devices>=2
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("error.illegal_address");

__global__ void writeTo(int* target) { *target = 1; }

int main() {
  int* kept = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&kept), 64));
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaSetDevice(1));
  DeviceArray<int> other(1);
  SETUP(cudaSetDevice(0));

  writeTo<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(0x10));
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("synchronise", cudaDeviceSynchronize());
  OBSERVE("synchronise_again", cudaDeviceSynchronize());
  OBSERVE("last_error", cudaGetLastError());
  OBSERVE("last_error_again", cudaGetLastError());
  int value = 0;
  int* pointer = nullptr;
  OBSERVE("malloc", cudaMalloc(reinterpret_cast<void**>(&pointer), 16));
  OBSERVE("copy", cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost));
  OBSERVE("stream_query", cudaStreamQuery(stream));
  OBSERVE("event_record", cudaEventRecord(event, stream));
  writeTo<<<1, 1>>>(kept);
  OBSERVE("next_launch", cudaGetLastError());
  OBSERVE("free", cudaFree(kept));
  int count = 0;
  OBSERVE("device_count", cudaGetDeviceCount(&count));

  OBSERVE("other_device", cudaSetDevice(1));
  cudaGetLastError();
  storeValue<<<1, 1>>>(other.data(), 9);
  OBSERVE("other_device_launch", cudaGetLastError());
  OBSERVE("other_device_synchronise", cudaDeviceSynchronize());
  OBSERVE("other_device_copy", cudaMemcpy(&value, other.data(), sizeof value, cudaMemcpyDeviceToHost));
  OBSERVE("other_device_value", value);

  OBSERVE("back", cudaSetDevice(0));
  OBSERVE("reset", cudaDeviceReset());
  OBSERVE("malloc_after_reset", cudaMalloc(reinterpret_cast<void**>(&pointer), 16));
  writeTo<<<1, 1>>>(pointer);
  OBSERVE("launch_after_reset", cudaGetLastError());
  OBSERVE("synchronise_after_reset", cudaDeviceSynchronize());
}
