// Built with the address sanitizer: at the end of a program that has given back all that it made, the leak checker
// finds nothing of the libraries either.
#include <mccl.h>

#include <thread>
#include <vector>

#include "check.h"

#define CHECK_MCCL(call) CHECK((call) == mcclSuccess)

__global__ void addOne(int* value) { ++*value; }

static void streamsAndEvents() {
  std::vector<musaStream_t> streams(100);  // more than what is made room for at first
  musaEvent_t event;
  DeviceArray<int> value(1);
  CHECK_MUSA(musaMemset(value.get(), 0, sizeof(int)));
  CHECK_MUSA(musaEventCreate(&event));
  for (musaStream_t& stream : streams) {
    CHECK_MUSA(musaStreamCreate(&stream));
    addOne<<<1, 1, 0, stream>>>(value.get());
    CHECK_MUSA(musaEventRecord(event, stream));
    CHECK_MUSA(musaStreamSynchronize(stream));
  }
  CHECK(value.at(0) == 100);
  for (musaStream_t stream : streams) CHECK_MUSA(musaStreamDestroy(stream));
  CHECK_MUSA(musaEventDestroy(event));
}

static void graphs() {
  musaStream_t stream;
  musaGraph_t graph;
  musaGraphExec_t program;
  DeviceArray<int> value(1);
  CHECK_MUSA(musaStreamCreate(&stream));
  CHECK_MUSA(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
  CHECK_MUSA(musaMemsetAsync(value.get(), 0, sizeof(int), stream));
  for (int i = 0; i < 100; ++i) addOne<<<1, 1, 0, stream>>>(value.get());
  CHECK_MUSA(musaStreamEndCapture(stream, &graph));
  CHECK_MUSA(musaGraphInstantiate(&program, graph, 0));
  CHECK_MUSA(musaGraphLaunch(program, stream));
  CHECK_MUSA(musaStreamSynchronize(stream));
  CHECK(value.at(0) == 100);
  CHECK_MUSA(musaGraphExecDestroy(program));
  CHECK_MUSA(musaGraphDestroy(graph));
  CHECK_MUSA(musaStreamDestroy(stream));
}

static void pools() {
  musaMemPoolProps properties = {};
  properties.allocType = musaMemAllocationTypePinned;
  properties.location.type = musaMemLocationTypeDevice;
  musaMemPool_t pool;
  void* memory[2];
  CHECK_MUSA(musaMemPoolCreate(&pool, &properties));
  CHECK_MUSA(musaMallocFromPoolAsync(&memory[0], 1000, pool, 0));
  CHECK_MUSA(musaMallocAsync(&memory[1], 1000, 0));
  for (void* one : memory) CHECK_MUSA(musaFreeAsync(one, 0));
  CHECK_MUSA(musaStreamSynchronize(0));
  CHECK_MUSA(musaMemPoolDestroy(pool));
}

static void communicators() {
  mcclComm_t comms[2];
  int* values[2];
  CHECK_MCCL(mcclCommInitAll(comms, 2, nullptr));
  for (int device = 0; device < 2; ++device) {
    CHECK_MUSA(musaSetDevice(device));
    CHECK_MUSA(musaMalloc(&values[device], sizeof(int)));
    const int one = 1;
    CHECK_MUSA(musaMemcpy(values[device], &one, sizeof one, musaMemcpyHostToDevice));
  }
  for (int round = 0; round < 3; ++round) {
    CHECK_MCCL(mcclGroupStart());
    for (int device = 0; device < 2; ++device) {
      CHECK_MCCL(mcclAllReduce(values[device], values[device], 1, mcclInt, mcclSum, comms[device], nullptr));
    }
    CHECK_MCCL(mcclGroupEnd());
  }
  for (int device = 0; device < 2; ++device) {
    CHECK_MUSA(musaSetDevice(device));
    CHECK_MUSA(musaDeviceSynchronize());
    int sum = 0;
    CHECK_MUSA(musaMemcpy(&sum, values[device], sizeof sum, musaMemcpyDeviceToHost));
    CHECK(sum == 8);
    CHECK_MUSA(musaFree(values[device]));
    CHECK_MCCL(mcclCommDestroy(comms[device]));
  }
}

int main() {
  streamsAndEvents();
  std::thread(streamsAndEvents).join();
  graphs();
  pools();
  communicators();
  return 0;
}
