// After a fault, work queued behind it is not done, and every waiter hears of it.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("error.fault_in_stream");

__global__ void writeTo(int* target) { *target = 1; }

static int hostCalls = 0;
static void CUDART_CB countCall(void*) { ++hostCalls; }

int main() {
  int* pinned = nullptr;
  SETUP(cudaMallocHost(reinterpret_cast<void**>(&pinned), sizeof(int)));
  *pinned = -1;
  int* value = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&value), sizeof(int)));
  SETUP(cudaMemset(value, 0, sizeof(int)));
  cudaStream_t stream;
  cudaEvent_t event;
  SETUP(cudaStreamCreate(&stream));
  SETUP(cudaEventCreate(&event));

  Gate gate;
  gate.block(stream);
  writeTo<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(0x20));
  SETUP(cudaGetLastError());
  OBSERVE("queue_kernel", (storeValue<<<1, 1, 0, stream>>>(value, 5), cudaGetLastError()));
  OBSERVE("queue_copy", cudaMemcpyAsync(pinned, value, sizeof(int), cudaMemcpyDeviceToHost, stream));
  OBSERVE("queue_host_function", cudaLaunchHostFunc(stream, countCall, nullptr));
  OBSERVE("queue_event", cudaEventRecord(event, stream));
  gate.open();
  OBSERVE("event_synchronise", cudaEventSynchronize(event));
  OBSERVE("event_query", cudaEventQuery(event));
  OBSERVE("stream_synchronise", cudaStreamSynchronize(stream));
  OBSERVE("device_synchronise", cudaDeviceSynchronize());
  OBSERVE("copy_not_done", *pinned);
  OBSERVE("host_function_calls", hostCalls);
}
