// Events of one process in another: who may record, wait and ask, and in what order work goes.
#include <string.h>

#include "../../framework/buffers.h"
#include "../../framework/gate.h"
#include "../../framework/processes.h"

CONFORMANCE_CASE("ipc.events");

struct Findings {
  cudaError_t open, openAgain, queryFresh, queryPending, waitPending, streamPending, elapsed, share,
      destroyOne;
  cudaError_t queryDone, record, recordQuery, synchronize, destroy, destroyAgain, zeroHandle, nullTarget;
  bool distinct;
  int seen;
};

struct Order {
  cudaIpcEventHandle_t event;
  cudaIpcMemHandle_t memory;
};

static int child() {
  Connection parent = parentProcess();
  const Order order = parent.receive<Order>();
  Findings found = {};
  SETUP(cudaFree(nullptr));
  cudaEvent_t event = nullptr, twin = nullptr;
  cudaIpcEventHandle_t zero;
  memset(&zero, 0, sizeof zero);
  found.zeroHandle = cudaIpcOpenEventHandle(&event, zero);
  found.nullTarget = cudaIpcOpenEventHandle(nullptr, order.event);
  (void)cudaGetLastError();
  found.open = cudaIpcOpenEventHandle(&event, order.event);
  SETUP(found.open);
  found.openAgain = cudaIpcOpenEventHandle(&twin, order.event);
  found.distinct = twin != event;
  found.queryFresh = cudaEventQuery(event);
  int* memory = nullptr;
  SETUP(
      cudaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), order.memory, cudaIpcMemLazyEnablePeerAccess));
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaIpcEventHandle_t own;
  found.share = cudaIpcGetEventHandle(&own, event);
  float ms = 0;
  found.elapsed = cudaEventElapsedTime(&ms, event, event);
  (void)cudaGetLastError();
  DeviceArray<int> copy(1);  // waits for the device, so not later
  parent.send('r');          // the parent records behind a gate
  (void)parent.receive<char>();
  found.queryPending = cudaEventQuery(event);
  found.waitPending = cudaStreamWaitEvent(stream, event, 0);
  SETUP(cudaMemcpyAsync(copy.data(), memory, sizeof(int), cudaMemcpyDeviceToDevice, stream));
  found.streamPending = cudaStreamQuery(stream);
  parent.send('g');  // and opens the gate
  SETUP(cudaStreamSynchronize(stream));
  SETUP(cudaMemcpy(&found.seen, copy.data(), sizeof(int), cudaMemcpyDeviceToHost));
  found.synchronize = cudaEventSynchronize(event);
  found.queryDone = cudaEventQuery(event);
  found.record = cudaEventRecord(event, stream);
  SETUP(cudaStreamSynchronize(stream));
  found.recordQuery = cudaEventQuery(event);
  found.destroyOne = cudaEventDestroy(twin);
  found.destroy = cudaEventDestroy(event);
  SETUP(cudaIpcCloseMemHandle(memory));
  parent.send(found);
  return parent.receive<char>() == 'q' ? 0 : 1;
}

int main(int argc, char**) {
  if (argc > 1) return child();
  Child other("child");
  cudaEvent_t event = nullptr, plain = nullptr;
  OBSERVE("create_with_timing", cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  OBSERVE("create", cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  OBSERVE("create_blocking", cudaEventCreateWithFlags(&plain, cudaEventInterprocess | cudaEventDisableTiming |
                                                                  cudaEventBlockingSync));
  SETUP(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  Order order = {};
  OBSERVE("get", cudaIpcGetEventHandle(&order.event, event));
  cudaIpcEventHandle_t handle;
  OBSERVE("get_again", cudaIpcGetEventHandle(&handle, event));
  OBSERVE("get_again_same", memcmp(&handle, &order.event, sizeof handle) == 0);
  OBSERVE("get_plain", cudaIpcGetEventHandle(&handle, plain));
  OBSERVE("get_null_handle", cudaIpcGetEventHandle(nullptr, event));
  OBSERVE("get_null_event", cudaIpcGetEventHandle(&handle, nullptr));
  cudaEvent_t opened = nullptr;
  OBSERVE("open_own", cudaIpcOpenEventHandle(&opened, order.event));
  OBSERVE("query_never_recorded", cudaEventQuery(event));
  float ms = 0;
  OBSERVE("elapsed", cudaEventElapsedTime(&ms, event, event));
  (void)cudaGetLastError();

  DeviceArray<int> memory(1);
  SETUP(cudaIpcGetMemHandle(&order.memory, memory.data()));
  other.send(order);
  (void)other.receive<char>();
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Gate gate;
  gate.block(stream);
  storeValue<<<1, 1, 0, stream>>>(memory.data(), 42);
  OBSERVE("record", cudaEventRecord(event, stream));
  OBSERVE("query_pending", cudaEventQuery(event));
  other.send('r');
  (void)other.receive<char>();
  gate.open();
  const Findings found = other.receive<Findings>();
  OBSERVE("other.open", found.open);
  OBSERVE("other.open_again", found.openAgain);
  OBSERVE("other.open_again_distinct", found.distinct);
  OBSERVE("other.zero_handle", found.zeroHandle);
  OBSERVE("other.null_target", found.nullTarget);
  OBSERVE("other.query_never_recorded", found.queryFresh);
  OBSERVE("other.share", found.share);
  OBSERVE("other.elapsed", found.elapsed);
  OBSERVE("other.query_pending", found.queryPending);
  OBSERVE("other.wait", found.waitPending);
  OBSERVE("other.stream_pending", found.streamPending);
  OBSERVE("other.value_behind_the_event", found.seen);
  OBSERVE("other.synchronize", found.synchronize);
  OBSERVE("other.query_done", found.queryDone);
  OBSERVE("other.record", found.record);
  OBSERVE("other.record_query", found.recordQuery);
  OBSERVE("other.destroy_one", found.destroyOne);
  OBSERVE("other.destroy", found.destroy);
  OBSERVE("query_after_the_others_record", cudaEventQuery(event));
  OBSERVE("synchronize", cudaEventSynchronize(event));
  OBSERVE("destroy", cudaEventDestroy(event));
  other.send('q');
  OBSERVE("child", other.join());
}
