// Built so that the default stream is per thread: <<<>>> and calls without a stream use the thread's own.
#include <thread>

#include "check.h"

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void waitFor(volatile int* flag) {
  while (*flag == 0) __nanosleep(1000);
}

// What a capture of the thread's stream holds shows where a launch went.
static void launchesAreCaptured(int* out) {
  musaGraph_t graph;
  CHECK_MUSA(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeThreadLocal));
  fill<<<1, 32>>>(out, 1);
  CHECK_MUSA(musaGetLastError());
  CHECK_MUSA(musaMemsetAsync(out, 0, sizeof(int)));
  CHECK_MUSA(musaStreamEndCapture(musaStreamPerThread, &graph));
  size_t nodes = 0;
  CHECK_MUSA(musaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 2);
  CHECK_MUSA(musaGraphDestroy(graph));
}

// The legacy stream would wait for the other one's kernel, which waits for us.
static void launchesDoNotWaitForOthers(DeviceArray<int>& out) {
  volatile int* flag;
  CHECK_MUSA(musaMallocHost((void**)&flag, sizeof(int)));
  *flag = 0;
  musaStream_t other;
  CHECK_MUSA(musaStreamCreate(&other));
  waitFor<<<1, 1, 0, other>>>(flag);
  std::thread([&] { fill<<<1, 32>>>(out.get(), 7); CHECK_MUSA(musaStreamSynchronize(0)); }).join();
  CHECK(musaStreamQuery(other) == musaErrorNotReady);
  CHECK(out.at(31) == 7);
  *flag = 1;
  CHECK_MUSA(musaStreamSynchronize(other));
  CHECK_MUSA(musaStreamDestroy(other));
  CHECK_MUSA(musaFreeHost((void*)flag));
}

int main() {
  DeviceArray<int> out(32);
  launchesAreCaptured(out.get());
  launchesDoNotWaitForOthers(out);
  return 0;
}
