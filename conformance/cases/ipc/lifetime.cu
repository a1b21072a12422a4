// Handles of memory that was freed, and of a process that has ended.
#include "../../framework/buffers.h"
#include "../../framework/processes.h"

CONFORMANCE_CASE("ipc.lifetime");

// Allocates, shares, and frees when told; ends when told.
static int owner() {
  Connection parent = parentProcess();
  void* memory = nullptr;
  SETUP(cudaMalloc(&memory, 4 << 20));
  SETUP(cudaMemset(memory, 0x5a, 4 << 20));
  SETUP(cudaDeviceSynchronize());
  cudaIpcMemHandle_t handle;
  SETUP(cudaIpcGetMemHandle(&handle, memory));
  cudaEvent_t event = nullptr;
  SETUP(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  SETUP(cudaEventRecord(event, nullptr));
  cudaIpcEventHandle_t eventHandle;
  SETUP(cudaIpcGetEventHandle(&eventHandle, event));
  parent.send(handle);
  parent.send(eventHandle);
  if (parent.receive<char>() == 'f') {
    SETUP(cudaFree(memory));
    parent.send('f');
    return parent.receive<char>() == 'q' ? 0 : 1;
  }
  return 0;
}

int main(int argc, char**) {
  if (argc > 1) return owner();
  Child first("owner"), second("owner"), third("owner");
  SETUP(cudaFree(nullptr));
  void* memory = nullptr;

  cudaIpcMemHandle_t freed = first.receive<cudaIpcMemHandle_t>();
  (void)first.receive<cudaIpcEventHandle_t>();
  first.send('f');
  (void)first.receive<char>();
  OBSERVE("open_freed", cudaIpcOpenMemHandle(&memory, freed, cudaIpcMemLazyEnablePeerAccess));
  first.send('q');
  OBSERVE("first", first.join());

  cudaIpcMemHandle_t ended = second.receive<cudaIpcMemHandle_t>();
  cudaIpcEventHandle_t endedEvent = second.receive<cudaIpcEventHandle_t>();
  second.send('q');
  OBSERVE("second", second.join());
  OBSERVE("open_ended", cudaIpcOpenMemHandle(&memory, ended, cudaIpcMemLazyEnablePeerAccess));
  cudaEvent_t event = nullptr;
  OBSERVE("open_event_ended", cudaIpcOpenEventHandle(&event, endedEvent));
  (void)cudaGetLastError();

  cudaIpcMemHandle_t killed = third.receive<cudaIpcMemHandle_t>();
  cudaIpcEventHandle_t killedEvent = third.receive<cudaIpcEventHandle_t>();
  OBSERVE("open_before_kill", cudaIpcOpenMemHandle(&memory, killed, cudaIpcMemLazyEnablePeerAccess));
  OBSERVE("open_event_before_kill", cudaIpcOpenEventHandle(&event, killedEvent));
  third.kill();
  unsigned char byte = 0;
  OBSERVE("read_after_kill", cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost));
  OBSERVE("value_after_kill", static_cast<int>(byte));
  OBSERVE("query_after_kill", cudaEventQuery(event));
  OBSERVE("wait_after_kill", cudaStreamWaitEvent(nullptr, event, 0));
  OBSERVE("close_after_kill", cudaIpcCloseMemHandle(memory));
  OBSERVE("destroy_after_kill", cudaEventDestroy(event));
  OBSERVE("last", cudaDeviceSynchronize());
}
